package io.paceline.demo;

import io.paceline.demo.Scenario.SiteSpec;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The configuration that Paceline is given for the demo, as a user would write it: a list and a file of a few lines. */
record DemoConfig(String proxyList, String yaml) {
    static final String LIST_NAME = "proxies.txt";

    /**
     * The list may be shared among more requests than one address should carry at once: {@code max_leases} keeps a
     * hanging proxy from holding more than a few. The widest pace is the rule for {@code *}; a site that bears less gets one
     * of its own. Sites on loopback are private targets, so those are allowed.
     */
    static DemoConfig of(Scenario scenario, List<Upstream> upstreams) {
        String list = upstreams.stream().map(Upstream::line).collect(Collectors.joining("\n", "", "\n"));
        int usual = scenario.sites().stream().mapToInt(SiteSpec::pace).max().orElseThrow();
        StringBuilder yaml = new StringBuilder(1_024);
        yaml.append("api:   { listen: 127.0.0.1:0 }\n");
        yaml.append("proxy: { listen: 127.0.0.1:0, allow_private_targets: true }\n");
        yaml.append("pools:\n  - { name: default, addresses: [ { file: " + LIST_NAME + " } ], max_leases: 4 }\n");
        yaml.append("rules:\n");
        line(yaml, "usual", "\"*\"", usual);
        for (SiteSpec site : scenario.sites()) {
            if (site.pace() < usual) {
                line(yaml, site.name(), site.host(), site.pace());
            }
        }
        return new DemoConfig(list, yaml.toString());
    }

    /**
     * For {@link TroubleShow}: providers are tags, and control URLs are asked too. Waits are a few seconds where
     * the defaults are a minute and more, so that one can watch addresses come back.
     *
     * @param providerOf the provider of each upstream
     */
    static DemoConfig watched(
            Scenario scenario, List<Upstream> upstreams, Function<Upstream, String> providerOf, List<String> urls) {
        String list = upstreams.stream()
                .map(upstream -> upstream.line() + " # provider=" + providerOf.apply(upstream))
                .collect(Collectors.joining("\n", "", "\n"));
        String yaml = String.format(
                Locale.ROOT,
                """
                api:   { listen: 127.0.0.1:0 }
                proxy: { listen: 127.0.0.1:0, allow_private_targets: true }
                pools:
                  - name: default
                    addresses: [ { file: %s } ]
                    max_leases: 4
                    quarantine: { base: 4s, cell_base: 8s }
                    slow_start: { over: 4s }
                    probe: { urls: [%s] }
                rules:
                """,
                LIST_NAME,
                urls.stream().map(url -> '"' + url + '"').collect(Collectors.joining(", ")));
        StringBuilder all = new StringBuilder(yaml);
        int pace = scenario.sites().stream().mapToInt(SiteSpec::pace).max().orElseThrow();
        line(all, "usual", "\"*\"", pace);
        return new DemoConfig(list, all.toString());
    }

    private static void line(StringBuilder yaml, String name, String pattern, int pace) {
        yaml.append(String.format(
                Locale.ROOT,
                "  - { name: %s, pattern: %s, limit: %d, window: 1s, burst: 1, on_limit: wait }%n",
                name,
                pattern,
                pace));
    }
}
