package io.paceline.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.paceline.Credentials;
import io.paceline.Outcome.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real client, curl, through Paceline and real upstream proxies that want a password, to sites with and without TLS. */
@Tag("tools")
class RealUpstreamsIT {
    private static final Credentials UP = new Credentials("up01", "pw2");
    private static final String STORE_PASSWORD = "changeit";
    private static final int BIG = 8 * 1024 * 1024;

    @TempDir
    static Path dir;

    private static HttpServer plain;
    private static HttpsServer secure;

    @BeforeAll
    static void openTheSites() throws Exception {
        plain = HttpServer.create(new InetSocketAddress(Wire.loopback(), 0), 0);
        serve(plain);
        run(
                "keytool",
                "-genkeypair",
                "-alias",
                "site",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file("site.p12"),
                "-storepass",
                STORE_PASSWORD);
        run(
                "keytool",
                "-exportcert",
                "-rfc",
                "-alias",
                "site",
                "-keystore",
                file("site.p12"),
                "-storepass",
                STORE_PASSWORD,
                "-file",
                file("ca.pem"));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(dir.resolve("site.p12"))) {
            keys.load(in, STORE_PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, STORE_PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        secure = HttpsServer.create(new InetSocketAddress(Wire.loopback(), 0), 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        serve(secure);
    }

    @AfterAll
    static void closeTheSites() {
        plain.stop(0);
        secure.stop(0);
    }

    private static void serve(HttpServer site) {
        site.createContext("/", exchange -> {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            byte[] body = exchange.getRequestURI().getPath().equals("/big")
                    ? new byte[BIG]
                    : ("hello " + sent.length + " "
                                    + exchange.getRequestHeaders().getFirst("Proxy-Authorization"))
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        site.start();
    }

    @Test
    void curlPassesTinyproxyWithItsPassword() throws Exception {
        int port = RawServer.closedPort();
        Path config = dir.resolve("tinyproxy.conf");
        Files.writeString(
                config,
                "Port " + port
                        + "\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nAllow 127.0.0.1\nBasicAuth up01 pw2\n");
        passes(port, "tinyproxy", "-d", "-c", config.toString());
    }

    @Test
    void curlPassesSquidWithItsPassword() throws Exception {
        int port = RawServer.closedPort();
        Path config = dir.resolve("squid.conf");
        Path helper = dir.resolve("auth.sh");
        Files.writeString(
                helper, "#!/bin/sh\nwhile read -r pair; do [ \"$pair\" = 'up01 pw2' ] && echo OK || echo ERR; done\n");
        Files.writeString(
                config,
                String.join(
                        "\n",
                        "http_port 127.0.0.1:" + port,
                        "auth_param basic program /bin/sh " + helper,
                        "auth_param basic children 1",
                        "acl known proxy_auth REQUIRED",
                        "http_access allow known",
                        "http_access deny all",
                        "cache deny all",
                        "cache_log stdio:/dev/null",
                        "access_log none",
                        "pid_filename none",
                        "coredump_dir " + dir,
                        "shutdown_lifetime 0 seconds",
                        "pinger_enable off",
                        ""));
        assertThat(dir.toFile().setExecutable(true, false) && dir.toFile().setReadable(true, false))
                .isTrue();
        passes(port, "squid", "-N", "-f", config.toString());
    }

    private static void passes(int upstreamPort, String... command) throws Exception {
        Process upstream = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (Rig rig = Rig.open(
                s -> s.withAllowPrivateTargets(true).withConnectPorts(Set.of()),
                RawServer.upstream("up", upstreamPort, UP))) {
            Rig.await("the upstream listens", () -> isOpen(upstreamPort) || !upstream.isAlive());
            String http = "http://127.0.0.1:" + plain.getAddress().getPort();
            String https = "https://127.0.0.1:" + secure.getAddress().getPort();
            assertThat(curl(rig, http + "/")).isEqualTo("hello 0 null");
            assertThat(curl(rig, https + "/")).isEqualTo("hello 0 null");
            assertThat(curl(rig, http + "/", "--data-binary", "@" + file("site.p12")))
                    .isEqualTo("hello " + Files.size(dir.resolve("site.p12")) + " null");
            assertThat(curl(rig, https + "/big")).hasSize(BIG);
            assertThat(curl(rig, http + "/big", "--limit-rate", "8M")).hasSize(BIG);
            Rig.await("all settled", () -> rig.gatekeeper.outcomes().size() == 5);
            assertThat(rig.gatekeeper.outcomes()).containsOnly(Kind.SUCCESS);
            assertThat(rig.gatekeeper.given()).allSatisfy(given -> {
                assertThat(given.request.session()).isEqualTo("acct-17");
                assertThat(given.request.tags()).isEqualTo(Map.of("country", "de"));
            });
            rig.gatekeeper.serve(RawServer.upstream("up", upstreamPort, new Credentials("up01", "wrong")));
            for (String url : List.of(http, https)) {
                assertThat(curl(rig, url + "/", "-w", "%{http_code} %{http_connect}", "-o", file("body")))
                        .contains("502");
            }
        } finally {
            upstream.destroy();
            if (!upstream.waitFor(10, TimeUnit.SECONDS)) {
                upstream.destroyForcibly();
            }
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(Wire.loopback(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String curl(Rig rig, String url, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-s",
                "--noproxy",
                "",
                "--max-time",
                "30",
                "-x",
                "http://127.0.0.1:" + rig.address.getPort(),
                "-U",
                "crawler3-session-acct-17-country-DE:token",
                "--cacert",
                file("ca.pem")));
        command.addAll(List.of(more));
        command.add(url);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        process.waitFor();
        return output;
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static String file(String name) {
        return dir.resolve(name).toString();
    }
}
