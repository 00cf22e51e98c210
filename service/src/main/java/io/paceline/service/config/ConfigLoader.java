package io.paceline.service.config;

import io.paceline.Endpoint;
import io.paceline.pace.Rule;
import io.paceline.pace.TargetSettings;
import io.paceline.pace.TenantSettings;
import io.paceline.pool.Fallbacks;
import io.paceline.pool.PoolSettings;
import io.paceline.service.journal.JournalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Loads a configuration as a whole: files, lists, command line and defaults become one valid tree of records, or every
 * error is told. Reads files and nothing else; opens no socket: lists that have URLs are named, not fetched. One loader
 * loads once.
 */
public final class ConfigLoader {

    private static final String DEFAULT_POOL = "default";
    private final ConfigInputs inputs;
    private final Masking masking = new Masking();
    private final Problems problems = new Problems(masking);
    private final List<ListReport> lists = new ArrayList<>();
    private final FilesRead files = new FilesRead();
    private final List<UrlList> urlLists = new ArrayList<>();
    private final List<SupplyConfig> supplies = new ArrayList<>();
    private ReloadConfig reload = ReloadConfig.defaults();

    private ApiConfig api = ApiConfig.defaults();
    private ProxyConfig proxy = ProxyConfig.defaults();
    private StoreChoice store = StoreChoice.MEMORY;
    private RedisReader redis = RedisReader.defaults();
    private final Map<String, PoolDraft> pools = new LinkedHashMap<>();
    /** Where each pool names its fallback. */
    private final Map<String, Value> fallbacks = new LinkedHashMap<>();

    private List<TargetSettings> targets = List.of();
    private List<Rule> rules = List.of();
    private List<TenantSettings> tenants = List.of();
    /** Where tokens name each tenant first. */
    private final Map<String, Value> tokenTenants = new LinkedHashMap<>();

    private String robotsAgent = RobotsReader.DEFAULT_AGENT;
    private JournalSettings journal = JournalSettings.defaults();
    private Optional<Value> apiListen = Optional.empty();
    private Optional<Value> proxyListen = Optional.empty();

    private ConfigLoader(ConfigInputs inputs) {
        this.inputs = inputs;
    }

    /** Everything that the inputs say, or everything that is wrong with them. */
    public static ConfigResult load(ConfigInputs inputs) {
        return new ConfigLoader(inputs).load();
    }

    /** What a rule gives in the long run and at most, for {@code check}. */
    public static String sustained(Rule rule) {
        return RuleReader.sustained(rule);
    }

    /** What a tenant may use, for {@code check}. */
    public static String described(TenantSettings tenant) {
        return TenantReader.describe(tenant);
    }

    private ConfigResult load() {
        inputs.config().ifPresent(this::configFile);
        proxyLists();
        inputs.rules().ifPresent(this::rulesFile);
        overrides();
        if (pools.isEmpty() && inputs.proxies().isEmpty()) {
            pools.put(
                    DEFAULT_POOL,
                    new PoolDraft(PoolSettings.defaults(DEFAULT_POOL), List.of(AddressDraft.of(Endpoint.DIRECT))));
        }
        store = redis.of(store);
        checkListening();
        if (problems.any()) {
            return new ConfigResult.Broken(problems.errors(), files.stamps());
        }
        return new ConfigResult.Loaded(new ServiceConfig(
                api,
                proxy,
                store,
                Assembly.named(pools.values(), inputs.ids()),
                targets,
                rules,
                tenants,
                robotsAgent,
                journal,
                lists,
                problems.warnings(),
                masking,
                urlLists,
                supplies,
                reload,
                files.stamps(),
                inputs.ids()));
    }

    private void configFile(Path file) {
        Source source = source(file);
        root(source, file).ifPresent(root -> {
            try (root) {
                root.section("api").ifPresent(section -> {
                    apiListen = section.value("listen");
                    api = ApiReader.read(section, tokenTenants);
                });
                root.section("proxy").ifPresent(section -> {
                    proxyListen = section.value("listen");
                    proxy = ProxyReader.read(section);
                });
                root.section("robots").ifPresent(section -> robotsAgent = RobotsReader.agent(section));
                root.section("reload").ifPresent(section -> reload = ReloadConfig.read(section));
                root.value("journal").ifPresent(value -> journal = JournalReader.read(value));
                root.value("store").ifPresent(this::store);
                root.value("redis").ifPresent(value -> redis = RedisReader.read(value));
                Optional<Value> poolList = root.value("pools");
                poolList.ifPresent(value -> pools(value, file));
                Set<String> names = new LinkedHashSet<>(pools.keySet());
                if (poolList.isEmpty()) {
                    names.add(DEFAULT_POOL);
                }
                targets = root.value("targets")
                        .map(value -> TargetReader.read(value, names))
                        .orElse(List.of());
                rules = root.value("rules").map(RuleReader::read).orElse(List.of());
                root.value("tenants").ifPresent(value -> tenants(value, names));
                if (inputs.rules().isPresent() && root.value("rules").isPresent()) {
                    root.error(
                            "rules",
                            "rules stand here and in --rules " + inputs.rules().get() + ": keep one of them");
                }
                if (!inputs.proxies().isEmpty() && poolList.isPresent()) {
                    root.error(
                            "pools",
                            "pools stand here and in --proxies "
                                    + inputs.proxies().get(0) + ": keep one of them");
                }
            }
        });
    }

    private void tenants(Value value, Set<String> poolNames) {
        tenants = TenantReader.read(value, poolNames, rules);
        Set<String> names = new LinkedHashSet<>();
        tenants.forEach(tenant -> names.add(tenant.name()));
        if (names.isEmpty()) {
            return;
        }
        tokenTenants.forEach((named, at) -> {
            if (!names.contains(named)) {
                at.errorAsIs("no tenant is called \"" + named + "\": "
                        + Nearest.to(named, names)
                                .map(word -> "did you mean \"" + word + "\"?")
                                .orElse("there are " + String.join(", ", names)));
            }
        });
        names.removeAll(tokenTenants.keySet());
        names.forEach(name -> value.warning(
                "no token names the tenant \"" + name + "\": write tenant: " + name + " at one of api.tokens"));
    }

    private void rulesFile(Path file) {
        Source source = source(file);
        root(source, file).ifPresent(root -> {
            root.onlyHas("rules", "a file for --rules has rules: alone");
            List<Rule> read = root.value("rules").map(RuleReader::read).orElse(List.of());
            if (inputs.config().isEmpty() || rules.isEmpty()) {
                rules = read;
            }
        });
    }

    private Source source(Path file) {
        return new Source(
                file.toString(), problems, new Expansion(inputs.environment(), folderOf(file), masking, files));
    }

    private Path folderOf(Path file) {
        Path parent = inputs.baseDir().resolve(file).getParent();
        return parent == null ? inputs.baseDir() : parent;
    }

    private Optional<Section> root(Source source, Path file) {
        Optional<Node> node = bytes(source, file).flatMap(bytes -> YamlFile.read(source, bytes));
        return node.flatMap(root -> new Value(source, "the file", root).section(ConfigKeys.ROOT));
    }

    private Optional<byte[]> bytes(Source source, Path file) {
        Path resolved = inputs.baseDir().resolve(file);
        files.note(resolved);
        try {
            if (Files.isDirectory(resolved)) {
                problems.error(source.file(), 0, 0, "this is a folder: name the file in it");
                return Optional.empty();
            }
            return Optional.of(Files.readAllBytes(resolved));
        } catch (NoSuchFileException missing) {
            problems.error(source.file(), 0, 0, "the file does not exist: create it, or correct the path");
        } catch (IOException unreadable) {
            problems.error(source.file(), 0, 0, "the file cannot be read: check its permissions");
        }
        return Optional.empty();
    }

    private void store(Value value) {
        if (value.isScalar()) {
            value.text().ifPresent(text -> chooseStore(text, value::errorAsIs));
            return;
        }
        List<Value> nodes = value.list("store: [redis://host1:6379, redis://host2:6379]");
        List<String> texts = new ArrayList<>();
        nodes.forEach(node -> node.text().ifPresent(texts::add));
        if (!texts.isEmpty() && texts.size() == nodes.size()) {
            chooseStore(() -> StoreChoice.cluster(texts), value::errorAsIs);
        }
    }

    private void chooseStore(String text, Consumer<String> error) {
        chooseStore(() -> StoreChoice.parse(text), error);
    }

    private void chooseStore(Supplier<StoreChoice> choice, Consumer<String> error) {
        try {
            store = choice.get();
        } catch (IllegalArgumentException e) {
            error.accept(String.valueOf(e.getMessage()));
        }
    }

    private void pools(Value list, Path file) {
        Map<String, Integer> lines = new LinkedHashMap<>();
        List<Value> elements = list.list("pools: [{name: default, addresses: [{file: proxies.txt}]}]");
        if (elements.isEmpty()) {
            list.error("is empty: write pools: [{name: default, addresses: [{file: proxies.txt}]}], or leave it out");
        }
        for (Value element : elements) {
            if (!element.isMapping()) {
                element.errorAsIs("a pool is " + element.kind()
                        + " where a mapping is expected: write {name: default, addresses: [{file: proxies.txt}]}");
                continue;
            }
            element.section("pools[]").ifPresent(section -> pool(section, element, lines, file));
        }
        checkFallbacks();
    }

    /** A circle is told once, where it is first met, and not again by every pool that leads into it. */
    private void checkFallbacks() {
        Map<String, PoolSettings> settings = new LinkedHashMap<>();
        pools.forEach((name, pool) -> settings.put(name, pool.settings()));
        for (Map.Entry<String, Value> fallback : fallbacks.entrySet()) {
            PoolSettings pool = settings.get(fallback.getKey());
            String named = pool == null ? null : pool.fallback();
            if (pool == null || named == null) {
                continue;
            }
            if (!settings.containsKey(named)) {
                fallback.getValue()
                        .errorAsIs("no pool is called \"" + named + "\": "
                                + Nearest.to(named, settings.keySet())
                                        .map(word -> "did you mean \"" + word + "\"?")
                                        .orElse("there are " + String.join(", ", settings.keySet())));
                settings.put(pool.name(), pool.withFallback(null));
                continue;
            }
            try {
                Fallbacks.of(pool, settings);
            } catch (Fallbacks.CircleException circle) {
                fallback.getValue().errorAsIs(String.valueOf(circle.getMessage()));
                settings.put(pool.name(), pool.withFallback(null));
            } catch (IllegalArgumentException furtherOn) {
                // The pool that names an unknown one says so itself.
            }
        }
    }

    private void pool(Section section, Value element, Map<String, Integer> lines, Path file) {
        try (section) {
            if (section.value("name").isEmpty()) {
                section.error("name", "a pool has no name: write name: default");
            }
            String name = section.text("name").orElse("");
            Integer before = name.isEmpty() ? null : lines.putIfAbsent(name, element.line());
            if (before != null) {
                section.error(
                        "name",
                        "two pools are called \"" + name + "\", the first in line " + before
                                + ": give each its own name");
            }
            AddressSources sources = new AddressSources(name, problems, lists, files, urlLists);
            Path parent = file.getParent();
            new AddressReader(sources, folderOf(file), parent == null ? Path.of("") : parent).read(section, name);
            PoolSettings settings = PoolReader.settings(section, name);
            section.section("supply")
                    .flatMap(supply -> SupplyReader.read(supply, name))
                    .ifPresent(supplies::add);
            section.value("fallback").ifPresent(value -> fallbacks.putIfAbsent(name, value));
            pools.putIfAbsent(name, new PoolDraft(settings, sources.addresses()));
        }
    }

    private void proxyLists() {
        if (inputs.proxies().isEmpty()) {
            return;
        }
        AddressSources sources = new AddressSources(DEFAULT_POOL, problems, lists, files, urlLists);
        for (Path file : inputs.proxies()) {
            AddressDraft plain = AddressDraft.of(Endpoint.DIRECT);
            sources.file(
                    inputs.baseDir().resolve(file),
                    file.toString(),
                    plain,
                    message -> problems.error(file.toString(), 0, 0, message));
        }
        pools.putIfAbsent(DEFAULT_POOL, new PoolDraft(PoolSettings.defaults(DEFAULT_POOL), sources.addresses()));
    }

    private void overrides() {
        inputs.apiListen().flatMap(text -> listen("--api", text)).ifPresent(listen -> api = api.withListen(listen));
        inputs.proxyListen()
                .flatMap(text -> listen("--proxy", text))
                .ifPresent(listen -> proxy = proxy.withListen(listen));
        inputs.store().ifPresent(text -> chooseStore(text, message -> problems.error("--store", 0, 0, message)));
        if (inputs.allowPrivateTargets()) {
            proxy = proxy.withPrivateTargetsAllowed();
        }
    }

    private Optional<ListenAddress> listen(String option, String text) {
        try {
            return Optional.of(ListenAddress.parse(text));
        } catch (IllegalArgumentException unfit) {
            problems.error(option, 0, 0, String.valueOf(unfit.getMessage()));
            return Optional.empty();
        }
    }

    /** Nobody may become operator, or use the proxy, from another machine without a token. */
    private void checkListening() {
        if (api.tokens().isEmpty()) {
            openOnly("api", api.listen(), inputs.apiListen(), apiListen);
            openOnly("proxy", proxy.listen(), inputs.proxyListen(), proxyListen);
        }
        if (api.listen().port() != 0 && api.listen().equals(proxy.listen())) {
            report(
                    "proxy",
                    inputs.proxyListen(),
                    proxyListen,
                    "api and proxy both listen on " + api.listen() + ": give each a port of its own");
        }
    }

    private void openOnly(String name, ListenAddress listen, Optional<String> option, Optional<Value> value) {
        if (!listen.isLoopback()) {
            report(
                    name,
                    option,
                    value,
                    name + ".listen " + listen
                            + " is open to other machines and no token is configured: add api.tokens, or listen on 127.0.0.1:"
                            + listen.port());
        }
    }

    private void report(String name, Optional<String> option, Optional<Value> value, String message) {
        if (option.isPresent() || value.isEmpty()) {
            problems.error("--" + name, 0, 0, message);
        } else {
            value.get().errorAsIs(message);
        }
    }
}
