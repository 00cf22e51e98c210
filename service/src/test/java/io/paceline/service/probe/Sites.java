package io.paceline.service.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Two control sites on loopback, one of them with TLS: {@code /204} answers 204, and so on. */
final class Sites implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    final List<Map<String, List<String>>> heads = new CopyOnWriteArrayList<>();
    private final HttpServer plain;
    private final HttpsServer secure;
    private final KeyStore keys;

    Sites(Path dir) throws Exception {
        Path file = dir.resolve("control.p12");
        Process keytool = new ProcessBuilder(
                        "keytool",
                        "-genkeypair",
                        "-alias",
                        "control",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=control",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        plain = HttpServer.create(loopback(0), 0);
        serve(plain);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        secure = HttpsServer.create(loopback(0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        serve(secure);
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private void serve(HttpServer site) {
        site.createContext("/", exchange -> {
            heads.add(new ConcurrentHashMap<>(exchange.getRequestHeaders()));
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/page/")) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody()
                        .write("x".repeat(Integer.parseInt(path.substring(6))).getBytes(UTF_8));
                exchange.close();
                return;
            }
            exchange.sendResponseHeaders(
                    Integer.parseInt(exchange.getRequestURI().getPath().substring(1)), -1);
            exchange.close();
        });
        site.start();
    }

    String http(int status) {
        return "http://127.0.0.1:" + plain.getAddress().getPort() + "/" + status;
    }

    String https(int status) {
        return "https://127.0.0.1:" + secure.getAddress().getPort() + "/" + status;
    }

    /** A page of so many octets, with or without TLS. */
    String page(boolean tls, int octets) {
        return (tls ? https(0) : http(0)).replaceFirst("/0$", "/page/" + octets);
    }

    /** The same site by a name that its certificate does not have. */
    String httpsByAnotherName(int status) {
        return "https://localhost:" + secure.getAddress().getPort() + "/" + status;
    }

    /** Believes the certificate of the site with TLS. */
    TrustManagerFactory trust() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("control", keys.getCertificate("control"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust;
    }

    @Override
    public void close() {
        plain.stop(0);
        secure.stop(0);
    }
}
