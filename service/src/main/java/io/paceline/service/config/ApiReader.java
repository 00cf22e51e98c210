package io.paceline.service.config;

import io.paceline.service.config.TokenConfig.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code api}. */
final class ApiReader {

    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final String HASHED = "sha256:";

    private ApiReader() {}

    /** @param tenants is given where tokens name each tenant first */
    static ApiConfig read(Section api, Map<String, Value> tenants) {
        try (api) {
            ApiConfig defaults = ApiConfig.defaults();
            Map<String, Boolean> refusals = new LinkedHashMap<>();
            refusals.put("status", false);
            refusals.put("200", true);
            return new ApiConfig(
                    api.value("listen")
                            .flatMap(value -> value.parsed(ListenAddress::parse))
                            .orElse(defaults.listen()),
                    api.word("on_refusal", false, refusals),
                    tokens(api, tenants));
        }
    }

    private static List<TokenConfig> tokens(Section api, Map<String, Value> tenants) {
        List<TokenConfig> tokens = new ArrayList<>();
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (Value element : api.list("tokens", "tokens: [{name: crawlers, token: \"${PACELINE_TOKEN}\"}]")) {
            element.section("api.tokens[]")
                    .flatMap(section -> token(section, tenants))
                    .ifPresent(token -> {
                        Integer before = lines.putIfAbsent(token.name(), element.line());
                        if (before != null) {
                            element.errorAsIs("two tokens have the name \"" + token.name() + "\", the first in line "
                                    + before + ": give each its own");
                        }
                        tokens.add(token);
                    });
        }
        return tokens;
    }

    private static Optional<TokenConfig> token(Section section, Map<String, Value> tenants) {
        try (section) {
            Optional<String> name = required(section, "name");
            Optional<String> token = required(section, "token");
            String tenant = section.text("tenant").orElse("");
            section.value("tenant").ifPresent(value -> tenants.putIfAbsent(tenant, value));
            Role role = section.word("role", Role.CLIENT, roles());
            if (token.isPresent()
                    && token.get().startsWith(HASHED)
                    && !SHA256.matcher(token.get().substring(HASHED.length())).matches()) {
                section.error("token", "token is no SHA-256: write sha256: and 64 hexadecimal digits");
                return Optional.empty();
            }
            if (name.isEmpty() || token.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new TokenConfig(name.get(), new Secret(token.get()), tenant, role));
        }
    }

    private static Optional<String> required(Section section, String key) {
        if (section.value(key).isEmpty()) {
            section.error(key, "a token has no " + key + ": write {name: crawlers, token: \"${PACELINE_TOKEN}\"}");
        }
        return section.text(key);
    }

    private static Map<String, Role> roles() {
        Map<String, Role> roles = new LinkedHashMap<>();
        for (Role role : Role.values()) {
            roles.put(role.name().toLowerCase(Locale.ROOT), role);
        }
        return roles;
    }
}
