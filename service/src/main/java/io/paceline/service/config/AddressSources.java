package io.paceline.service.config;

import io.paceline.Endpoint;
import io.paceline.service.lists.ProxyEntry;
import io.paceline.service.lists.ProxyList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Gathers the addresses of one pool out of files, lines and {@code direct}; each address once. */
final class AddressSources {

    /** So many bad lines of a source are shown; their number is always told. */
    private static final int SHOWN_BAD_LINES = 10;

    private static final long MAX_FILE = 512L * 1024 * 1024;

    private final String pool;
    private final Problems problems;
    private final List<ListReport> reports;
    private final FilesRead files;
    private final List<UrlList> urlLists;
    private final Map<Endpoint, AddressDraft> addresses = new LinkedHashMap<>();

    /** @param urlLists of all pools, to which those of this one are added */
    AddressSources(String pool, Problems problems, List<ListReport> reports, FilesRead files, List<UrlList> urlLists) {
        this.pool = pool;
        this.problems = problems;
        this.reports = reports;
        this.files = files;
        this.urlLists = urlLists;
    }

    List<AddressDraft> addresses() {
        return new ArrayList<>(addresses.values());
    }

    void direct(AddressDraft description) {
        addAll("direct", List.of(new ProxyEntry(Endpoint.DIRECT, null, Map.of())), 0, 0, description);
    }

    /**
     * Adds the proxies of a file.
     *
     * @param shown the file's name for people
     * @param onError takes what keeps the file from giving any
     */
    void file(Path file, String shown, AddressDraft description, Consumer<String> onError) {
        byte[] bytes;
        files.note(file);
        try {
            if (Files.isDirectory(file)) {
                onError.accept("the list " + shown + " is a folder: name the file in it");
                return;
            }
            if (Files.size(file) > MAX_FILE) {
                onError.accept("the list " + shown + " has more than " + MAX_FILE + " bytes: split it");
                return;
            }
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException missing) {
            onError.accept("the list " + shown + " does not exist: create it, or correct the path");
            return;
        } catch (IOException unreadable) {
            onError.accept("the list " + shown + " cannot be read: check its permissions");
            return;
        }
        ProxyList list = ProxyList.read(bytes);
        warn(list, shown);
        if (list.entries().isEmpty()) {
            onError.accept("the list " + shown + " has no usable line" + account(list)
                    + ": write one proxy a line, host:port or http://user:password@host:port");
        }
        addAll(shown, list.entries(), list.duplicates(), list.badLines(), description);
    }

    /** Adds the proxies of a text in the configuration itself. */
    void inline(String text, AddressDraft description, Consumer<String> onError) {
        ProxyList list = ProxyList.read(text);
        boolean oneLine = text.strip().indexOf('\n') < 0;
        for (ProxyList.BadLine bad : list.bad()) {
            onError.accept("inline" + (oneLine ? "" : " line " + bad.line()) + " is no proxy: " + bad.message());
        }
        if (list.entries().isEmpty() && list.badLines() == 0) {
            onError.accept("inline has no proxy: write inline: \"http://user:password@198.51.100.7:8080\"");
        }
        addAll("inline", list.entries(), list.duplicates(), list.badLines(), description);
    }

    /**
     * Adds a list that is fetched while the service runs; the configuration itself opens no connection.
     *
     * @param onError takes that it stands here twice
     */
    void url(String url, Duration refresh, AddressDraft description, Consumer<String> onError) {
        String host = WebUrl.shown(url);
        long twins = 0;
        for (UrlList other : urlLists) {
            if (other.pool().equals(pool) && other.url().value().equals(url)) {
                onError.accept("this list stands in the pool twice: keep one of them");
                return;
            }
            twins += other.url().value().equals(url)
                            || !WebUrl.shown(other.url().value()).equals(host)
                    ? 0
                    : 1;
        }
        String shown = twins == 0 ? host : host + " (" + (twins + 1) + ")";
        urlLists.add(new UrlList(
                pool,
                new Secret(url),
                shown,
                refresh,
                description.tags(),
                description.weight(),
                description.metered()));
    }

    private void warn(ProxyList list, String shown) {
        list.bad().stream()
                .limit(SHOWN_BAD_LINES)
                .forEach(bad -> problems.warning(shown, bad.line(), 1, "line left out: " + bad.message()));
        int more = list.badLines() - SHOWN_BAD_LINES;
        if (more > 0) {
            problems.warning(
                    shown,
                    list.bad().get(SHOWN_BAD_LINES).line(),
                    1,
                    more + " more lines left out: ./paceline proxies test " + shown + " shows them");
        }
    }

    private static String account(ProxyList list) {
        return list.badLines() == 0
                ? ""
                : " (" + list.badLines() + " cannot be read, the first is "
                        + list.bad().get(0) + ")";
    }

    private void addAll(String source, List<ProxyEntry> entries, int repeated, int badLines, AddressDraft description) {
        int added = 0;
        int duplicates = repeated;
        for (ProxyEntry entry : entries) {
            AddressDraft draft = description.with(entry);
            if (addresses.putIfAbsent(entry.endpoint(), draft) == null) {
                added++;
            } else {
                duplicates++;
            }
        }
        reports.add(new ListReport(pool, source, added, duplicates, badLines));
    }
}
