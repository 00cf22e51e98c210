package io.paceline.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.paceline.testkit.SeededTest;
import io.paceline.testkit.Seeds;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "EXAMPLE.Com., example.com",
        "my_shop.example.com, my_shop.example.com",
        "-odd-.example.com, -odd-.example.com",
        "localhost., localhost",
        "198.51.100.7, 198.51.100.7",
        "198.51.100.7., 198.51.100.7",
        "1.example, 1.example",
        "123.0xyz, 123.0xyz",
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "XN--BCHER-KVA.example, xn--bcher-kva.example",
        "bu\u0308cher.example, xn--bcher-kva.example",
        "faß.example, xn--fa-hia.example",
        "FAẞ.example, xn--fa-hia.example",
        "straße.example, xn--strae-oqa.example",
        "βόλος.example, xn--nxasmm1c.example",
        "ΒΌΛΟΣ.example, xn--nxasmq6b.example",
        "日本語。example, xn--wgv71a119e.example",
        "ｅｘａｍｐｌｅ.ｃｏｍ, example.com",
        "exa\u00admple.com, example.com",
        "☃.example, xn--n3h.example",
        "🦄.example, xn--3s9h.example",
        "2001:DB8:0:0::0007, 2001:db8::7",
        "[2001:db8::1], 2001:db8::1",
        "[::], ::",
        "::1, ::1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:0201, 192.0.2.1",
        "64:ff9b::192.0.2.1, 64:ff9b::c000:201",
    })
    void a_host_has_one_spelling(String written, String canonical) {
        assertThat(Hosts.canonical(written)).isEqualTo(canonical);
        assertThat(Hosts.canonical(canonical)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "example.com..",
                ".example.com",
                "a..b",
                "ex%61mple.com",
                "exa mple.com",
                "a\tb",
                "a\nb",
                "example.com\u0000",
                "ex!ample.com",
                "*.example.com",
                "a/b",
                "a@b",
                "a\\b",
                "198.51.300.7",
                "1.2.3.4.5",
                "example.123",
                "09.1",
                "4294967296",
                "256.256",
                "1..2",
                "0x1ffffffff",
                "[",
                "[]",
                "[::1",
                "::1]",
                "[192.0.2.1]",
                "[example.com]",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.400",
                "1.2.3.4::",
                "fe80::1%eth0",
                "[fe80::1%25eth0]",
                "203:0:113:9:80",
                "a\u200db.example",
                "\u2024.example",
                "。"
            })
    void what_is_no_host_is_refused(String written) {
        BadTargetException refusal = catchThrowableOfType(BadTargetException.class, () -> Hosts.canonical(written));
        assertThat(refusal).isNotNull();
        assertThat(refusal.isForbidden()).isFalse();
        assertThat(refusal).message().doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void names_are_as_long_as_the_domain_system_allows() {
        String label = "a".repeat(63);
        String longest = label + "." + label + "." + label + "." + "a".repeat(61);
        assertThat(Hosts.canonical(longest)).isEqualTo(longest);
        assertThat(Hosts.canonical(longest.toUpperCase(Locale.ROOT) + ".")).isEqualTo(longest);
        assertThatExceptionOfType(BadTargetException.class).isThrownBy(() -> Hosts.canonical(longest + "a"));
        assertThatExceptionOfType(BadTargetException.class).isThrownBy(() -> Hosts.canonical(label + "a.example"));
        assertThatExceptionOfType(BadTargetException.class)
                .isThrownBy(() -> Hosts.canonical("ü".repeat(70) + ".example"));
        assertThatExceptionOfType(BadTargetException.class)
                .isThrownBy(() -> Hosts.canonical("ß".repeat(70) + ".example"));
    }

    @ParameterizedTest
    @CsvSource({
        "2130706433, 127.0.0.1",
        "127.1, 127.0.0.1",
        "127.0.1, 127.0.0.1",
        "0x7f.1, 127.0.0.1",
        "0X7F000001, 127.0.0.1",
        "0177.0.0.1, 127.0.0.1",
        "017700000001, 127.0.0.1",
        "127.0.0.01, 127.0.0.1",
        "0, 0.0.0.0",
        "0x, 0.0.0.0",
        "127.0.0.0x1, 127.0.0.1",
        "10.1., 10.0.0.1",
        "１２７.1, 127.0.0.1",
        "127。1, 127.0.0.1",
        "169.254.43518, 169.254.169.254",
    })
    void an_address_in_an_odd_spelling_is_told_from_a_name(String written, String address) {
        assertThatExceptionOfType(BadTargetException.class)
                .isThrownBy(() -> Hosts.canonical(written))
                .withMessageContaining("write " + address)
                .satisfies(refusal -> assertThat(refusal.isForbidden()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "localhost",
                "localhost.",
                "a.localhost",
                "0.0.0.0",
                "[::1]",
                "[::]",
                "[::ffff:169.254.169.254]",
                "169.254.169.254",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "100.127.255.255",
                "224.0.0.1",
                "255.255.255.255",
                "240.0.0.1",
                "0.1.2.3",
                "192.0.0.192",
                "198.19.0.1",
                "fc00::1",
                "fdff::1",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "::127.0.0.1",
                "::ffff:0:127.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b:1::1",
                "2002:7f00:1::",
                "2002:a00:1::1",
                "2001:0:7f00:1::",
                "2001:0:cb00:7107:0:0:80ff:fffe",
                "2001:db8::5efe:10.0.0.1",
                "100::1",
                "metadata.google.internal",
                "printer.local",
                "localhost.localdomain",
                "nas.home.arpa"
            })
    void what_is_no_public_site_is_private(String host) {
        assertThat(Hosts.isPrivate(Hosts.canonical(host))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "localhost.example.com",
                "notlocalhost",
                "192.0.2.1",
                "198.51.100.7",
                "203.0.113.9",
                "9.9.9.9",
                "11.0.0.1",
                "172.15.255.255",
                "172.32.0.1",
                "100.63.255.255",
                "100.128.0.1",
                "192.169.0.1",
                "126.255.255.255",
                "223.255.255.255",
                "198.20.0.1",
                "2001:db8::1",
                "2606:4700::1",
                "64:ff9b::192.0.2.1",
                "2002:c000:201::1",
                "::ffff:192.0.2.1",
                "1.1.168.192.in-addr.arpa"
            })
    void a_public_site_is_not(String host) {
        assertThat(Hosts.isPrivate(Hosts.canonical(host))).isFalse();
    }

    /** The JDK reads literals without asking anybody: it must read ours, and the full spelling, as the same address. */
    @SeededTest(seeds = 20)
    void an_ipv6_address_keeps_its_value(long seed) throws UnknownHostException {
        RandomGenerator random = Seeds.random(seed);
        for (int i = 0; i < 500; i++) {
            StringBuilder full = new StringBuilder();
            for (int group = 0; group < 8; group++) {
                int value = random.nextInt(3) == 0 ? random.nextInt(65_536) : random.nextInt(2);
                full.append(group == 0 ? "" : ":").append(String.format(Locale.ROOT, "%04X", value));
            }
            String canonical = Hosts.canonical(full.toString());
            assertThat(Hosts.canonical(canonical)).isEqualTo(canonical);
            assertThat(InetAddress.getByName(canonical)).isEqualTo(InetAddress.getByName(full.toString()));
        }
    }

    @Test
    void resolved_addresses_are_judged_alike() throws UnknownHostException {
        assertThat(Hosts.isPrivate(InetAddress.getByAddress(new byte[] {10, 0, 0, 1})))
                .isTrue();
        assertThat(Hosts.isPrivate(InetAddress.getByAddress(new byte[] {9, 9, 9, 9})))
                .isFalse();
        assertThat(Hosts.isPrivate(InetAddress.getByAddress(new byte[] {(byte) 192, (byte) 168, 0, 1})))
                .isTrue();
        byte[] ula = new byte[16];
        ula[0] = (byte) 0xfd;
        assertThat(Hosts.isPrivate(InetAddress.getByAddress(ula))).isTrue();
        byte[] global = new byte[16];
        global[0] = 0x26;
        assertThat(Hosts.isPrivate(InetAddress.getByAddress(global))).isFalse();
    }

    @Test
    void addresses_are_told_from_names() {
        assertThat(Hosts.isAddressLiteral("192.0.2.1")).isTrue();
        assertThat(Hosts.isAddressLiteral("2001:db8::1")).isTrue();
        assertThat(Hosts.isAddressLiteral("example.com")).isFalse();
    }
}
