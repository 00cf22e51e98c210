package io.paceline.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path temp;

    @Test
    void keys_are_made_once_and_belong_to_their_owner_alone() throws IOException {
        Path folder = temp.resolve("deep/data");

        Keys first = new DataFolder(folder).keys();
        Keys second = new DataFolder(folder).keys();

        assertThat(second.leases()).isEqualTo(first.leases()).isNotEqualTo(first.addresses());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("secret.key"))))
                .isEqualTo("rw-------");
        assertThat(folder.toFile().list()).containsExactly("secret.key");
    }

    @Test
    void a_damaged_file_is_named_and_not_replaced() throws IOException {
        Path file = temp.resolve("secret.key");
        Files.writeString(file, "abc");

        assertThatThrownBy(() -> new DataFolder(temp).keys())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("damaged")
                .hasMessageNotContaining("abc");
        assertThat(file).hasContent("abc");
    }

    @Test
    void a_folder_that_cannot_be_says_so() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));

        assertThatThrownBy(() -> new DataFolder(file.resolve("data")).keys())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--data");
    }
}
