package io.paceline.service.lists;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a line holds, the reader neither throws nor shows a password. */
class ProxyLineFuzzTest {

    private static final List<String> HOSTS = List.of(
            "198.51.100.7",
            "proxy.example.com",
            "[2001:db8::7]",
            "2001:db8::7",
            "198.51.300.7",
            "squid",
            "",
            "ex ample");
    private static final List<String> PORTS = List.of("8080", "0", "99999", "10-20", "20-10", "", "x", "80/path");
    private static final List<String> SCHEMES =
            List.of("", "http://", "socks5h://", "sock5://", "socks5:", "//", "http:/");
    private static final String SPECIAL = ":@/?#%[]{}\"',;| \t\\-.$&\u00e9\ud83d\ude00\u0000\u0007";

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void never_shows_a_piece_of_the_password(long seed) {
        RandomGenerator random = new Random(seed);
        for (int i = 0; i < 4_000; i++) {
            String password =
                    "Qz" + random.nextInt(1000, 9999) + special(random) + "Vk" + random.nextInt(1000, 9999) + "j";
            String line = line(random, password);
            String shown = shown(ProxyLine.parse(line)) + shown(ProxyList.read(line));
            assertThat(shown)
                    .as("seed %s, line %s", seed, line)
                    .doesNotContain("Qz")
                    .doesNotContain("Vk");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void never_throws_at_noise(long seed) {
        RandomGenerator random = new Random(seed);
        for (int i = 0; i < 4_000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            assertThat(ProxyList.read(bytes)).isNotNull();
            assertThat(ProxyLine.parse(noise(random))).isNotNull();
        }
    }

    private static String line(RandomGenerator random, String password) {
        String user = "user" + random.nextInt(100);
        String host = pick(random, HOSTS);
        String port = pick(random, PORTS);
        String body = switch (random.nextInt(9)) {
            case 0 -> user + ":" + password + "@" + host + ":" + port;
            case 1 -> host + ":" + port + ":" + user + ":" + password;
            case 2 -> user + ":" + password + ":" + host + ":" + port;
            case 3 -> host + ":" + port + "@" + user + ":" + password;
            case 4 -> host + "," + port + "," + user + "," + password;
            case 5 -> host + " " + port + " " + user + " " + password;
            case 6 -> "{\"host\":\"" + host + "\",\"port\":\"" + port + "\",\"password\":\"" + password + "\"}";
            case 7 -> user + ":" + password + "@" + host;
            default -> host + ":" + user + ":" + password;
        };
        String text = body.startsWith("{") ? body : pick(random, SCHEMES) + body;
        return random.nextInt(4) == 0 ? mutate(random, text) : text;
    }

    /** No colon: in front of the password it would make the password a user name, and rightly so. */
    private static String mutate(RandomGenerator random, String text) {
        int at = random.nextInt(text.length() + 1);
        return text.substring(0, at) + special(random).replace(':', '=') + text.substring(at);
    }

    private static String noise(RandomGenerator random) {
        StringBuilder noise = new StringBuilder();
        for (int i = random.nextInt(30); i > 0; i--) {
            noise.append(random.nextBoolean() ? special(random) : Integer.toString(random.nextInt(300), 16));
        }
        return noise.toString();
    }

    private static String special(RandomGenerator random) {
        return String.valueOf(SPECIAL.charAt(random.nextInt(SPECIAL.length())));
    }

    private static String pick(RandomGenerator random, List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    private static String shown(ProxyLine line) {
        // toString of an entry masks the password; a label or a tag would show it.
        return line.match(Object::toString, Object::toString, Object::toString);
    }

    private static String shown(ProxyList list) {
        return list.toString();
    }
}
