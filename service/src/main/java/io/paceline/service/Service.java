package io.paceline.service;

import io.micrometer.core.instrument.Gauge;
import io.paceline.EmbeddedGatekeeper;
import io.paceline.GateConfig;
import io.paceline.GateListener;
import io.paceline.Inspection;
import io.paceline.SharedRandom;
import io.paceline.pace.Spending;
import io.paceline.pace.TargetBook;
import io.paceline.pace.TargetSettings;
import io.paceline.pool.PoolConfig;
import io.paceline.redis.degraded.StoreState;
import io.paceline.service.StartException.Part;
import io.paceline.service.api.ApiServer;
import io.paceline.service.api.ApiSettings;
import io.paceline.service.api.ApiToken;
import io.paceline.service.api.EventRoutes;
import io.paceline.service.api.ExplainRoutes;
import io.paceline.service.api.Insight;
import io.paceline.service.api.LeaseTokens;
import io.paceline.service.api.Pages;
import io.paceline.service.api.PermitApi;
import io.paceline.service.api.Readiness;
import io.paceline.service.api.SessionViews;
import io.paceline.service.api.Sight;
import io.paceline.service.api.TenantRoutes;
import io.paceline.service.api.TokenBook;
import io.paceline.service.api.Views;
import io.paceline.service.config.ListenAddress;
import io.paceline.service.config.ProxyConfig;
import io.paceline.service.config.ServiceConfig;
import io.paceline.service.events.EventLog;
import io.paceline.service.events.Events;
import io.paceline.service.events.LeaseBook;
import io.paceline.service.journal.Journal;
import io.paceline.service.journal.JournalException;
import io.paceline.service.journal.JournalMeters;
import io.paceline.service.journal.JournalSettings;
import io.paceline.service.metrics.BuildInfo;
import io.paceline.service.metrics.DecisionLog;
import io.paceline.service.metrics.GateMetrics;
import io.paceline.service.metrics.Listeners;
import io.paceline.service.metrics.Metrics;
import io.paceline.service.metrics.ProxyCounters;
import io.paceline.service.metrics.Pseudonyms;
import io.paceline.service.metrics.Status;
import io.paceline.service.metrics.StatusSource;
import io.paceline.service.probe.SocketProber;
import io.paceline.service.proxy.Authenticator;
import io.paceline.service.proxy.ForwardProxy;
import io.paceline.service.proxy.ProxySettings;
import io.paceline.service.proxy.SystemResolver;
import io.paceline.service.record.RecordSettings;
import io.paceline.service.record.RecordWriter;
import io.paceline.service.record.Recorder;
import io.paceline.service.reload.Live;
import io.paceline.service.reload.ReloadResult;
import io.paceline.service.reload.Reloader;
import io.paceline.service.supply.HttpWeb;
import io.paceline.service.usage.TenantTraces;
import io.paceline.service.usage.UsageBook;
import io.paceline.service.usage.UsageFile;
import io.paceline.store.MemoryStore;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gatekeeper as a process, and the one place where its parts are put together:
 *
 * <pre>
 *   ServiceConfig -&gt; OpenStore -&gt; EmbeddedGatekeeper  -&gt; PermitApi (Vert.x)
 *                                                     -&gt; ForwardProxy (Netty)
 *                    SocketProber asks control URLs; GateMetrics, DecisionLog, Events, LeaseBook, UsageBook, Recorder listen
 * </pre>
 *
 * <p>{@link #start} and {@link #stop} are called once each.
 */
public final class Service {

    /** How long running work may take to end. */
    public static final Duration DRAIN = Duration.ofSeconds(8);

    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    private static final long DRAIN_LOOK_MICROS = 20_000;

    /** The longest that a list, or a provider's answer, may take. */
    private static final Duration FETCH_WITHIN = Duration.ofSeconds(30);
    /** A clock that is so much behind the journal has been set back. */
    private static final long CLOCK_STEP_MICROS = 1_000_000;

    private final ServiceConfig config;
    private final SystemTicker ticker;
    private final TimerAlarm alarm;
    private final Readiness readiness = new Readiness();
    private final Vertx vertx;
    private final Metrics metrics;
    private final SystemResolver resolver = new SystemResolver();
    private final SocketProber prober;
    private final OpenStore store;
    private final EmbeddedGatekeeper gate;
    private final StatusSource status;
    private final ApiServer api;
    private final ForwardProxy proxy;
    /** What of the proxy no reload changes. */
    private final ProxySettings proxySettings;

    private final EventRoutes eventRoutes;
    private final Spending spending;
    private final TenantTraces traces;
    private final UsageBook usage;
    private @Nullable UsageFile usageFile;
    private final @Nullable RecordWriter record;
    private final ConfiguredAddresses known;
    private final TokenBook tokens;
    private final Reloader reloader;
    private final @Nullable Journal journal;
    private int apiPort;
    private int proxyPort;

    private Service(
            ServiceConfig config,
            Keys keys,
            ProxySettings.Timeouts timeouts,
            @Nullable RecordSettings recording,
            ConfigFiles files,
            @Nullable Path data)
            throws StartException {
        this.config = config;
        boolean embedded = config.store().redis() == null;
        this.journal = data != null && embedded && config.journal().on() ? journal(data, config.journal()) : null;
        this.ticker = ticker(journal);
        this.alarm = new TimerAlarm(ticker);
        this.record = recording == null ? null : record(recording);
        metrics = new Metrics();
        Pseudonyms pseudonyms = new Pseudonyms(keys.pseudonyms());
        prober = new SocketProber(resolver, null, SocketProber.Timeouts.defaults());
        EventLog log = new EventLog(ticker);
        Events events = new Events(log, ticker, pseudonyms);
        LeaseBook book = new LeaseBook(ticker, pseudonyms);
        spending = new Spending();
        traces = new TenantTraces();
        reloader = reloader(files, keys, events);
        MemoryStore memory = journal == null ? new MemoryStore(ticker) : journal.store(ticker);
        store = openStore(memory, events);
        known = new ConfiguredAddresses(reloader.pools());
        usage = new UsageBook(ticker, this::configured, known::kindOf, spending);
        gate = openGate(Listeners.of(
                traces,
                usage,
                new GateMetrics(metrics.registry(), targetNames(config), known::kindOf),
                new DecisionLog(ticker, pseudonyms),
                events,
                book,
                record == null ? GateListener.NONE : new Recorder(record, ticker, pseudonyms)));
        if (journal != null) {
            journal.start(memory);
        }
        events.configured("started", "the configuration in effect at the start", summary(config, reloader.pools()));
        status = new GateStatus(gate);
        SessionViews sessions = new SessionViews(new GateSessions(gate, pseudonyms));
        metrics.watch(status);
        if (journal != null) {
            JournalMeters.bind(journal, metrics.registry());
            readiness.journal(journal::trouble);
        }
        vertx = vertx();
        LeaseTokens leases = new LeaseTokens(keys.leases());
        tokens = new TokenBook(config.api().tokens().stream().map(ApiToken::of).toList());
        eventRoutes = new EventRoutes(log);
        api = api(leases, sessions, new ExplainRoutes(insight(), known, leases, tokens, book, log));
        proxySettings = ProxySettings.defaults()
                .withListen(new InetSocketAddress(
                        config.proxy().listen().host(), config.proxy().listen().port()))
                .withTimeouts(timeouts)
                .withAllowPrivateTargets(config.proxy().allowPrivateTargets());
        proxy = proxy(leases);
    }

    /**
     * Starts everything that the configuration says.
     *
     * @throws StartException where a port cannot be listened on; nothing runs then
     */
    public static Service start(ServiceConfig config, Keys keys) throws StartException {
        return start(config, keys, ProxySettings.Timeouts.defaults());
    }

    /**
     * As {@link #start(ServiceConfig, Keys)}, with other bounds in time for the forward proxy.
     *
     * @throws StartException where a port cannot be listened on; nothing runs then
     */
    public static Service start(ServiceConfig config, Keys keys, ProxySettings.Timeouts timeouts)
            throws StartException {
        ServiceConfig fixed = config.withoutFiles();
        return start(fixed, keys, timeouts, null, ConfigFiles.none(fixed));
    }

    /**
     * As {@link #start(ServiceConfig, Keys)}, with other bounds in time for the forward proxy, a record, and files that are
     * followed.
     *
     * @param recording where the record is written; null for none
     * @param files where the configuration came from, and where added addresses are kept
     * @throws StartException where a port cannot be listened on, or the record not be written; nothing runs then
     */
    public static Service start(
            ServiceConfig config,
            Keys keys,
            ProxySettings.Timeouts timeouts,
            @Nullable RecordSettings recording,
            ConfigFiles files)
            throws StartException {
        return start(config, keys, timeouts, recording, files, null);
    }

    /**
     * The same, with a journal of the embedded store.
     *
     * @param data the folder of the journal; null for none
     * @throws StartException where a port cannot be listened on, or record or journal not be kept; nothing runs then
     */
    public static Service start(
            ServiceConfig config,
            Keys keys,
            ProxySettings.Timeouts timeouts,
            @Nullable RecordSettings recording,
            ConfigFiles files,
            @Nullable Path data)
            throws StartException {
        // While other things start, or the first caller would wait for it.
        CompletableFuture<Void> warm = CompletableFuture.runAsync(TargetBook::warmUp);
        Service service = new Service(config, keys, timeouts, recording, files, data);
        try {
            service.listen();
        } catch (StartException e) {
            service.close();
            throw e;
        }
        warm.join();
        service.reloader.start(service.new Running());
        service.readiness.ready();
        service.introduce();
        return service;
    }

    /**
     * Goes on counting what tenants use where the file left off, and keeps it there from now on. Called once, if at all.
     *
     * @param file a few octets for each tenant, pool, target and day; it need not exist
     */
    public void keepUsage(Path file) {
        usageFile = UsageFile.open(file, usage);
    }

    // ---- wiring

    private static Journal journal(Path data, JournalSettings settings) throws StartException {
        try {
            return Journal.open(data, settings);
        } catch (JournalException e) {
            throw new StartException(Part.JOURNAL, String.valueOf(e.getMessage()), e);
        }
    }

    /** What was decided before a restart is never in the future. */
    private static SystemTicker ticker(@Nullable Journal journal) {
        SystemTicker ticker = new SystemTicker(journal == null ? 0 : journal.lastMicros());
        if (ticker.aheadMicros() > CLOCK_STEP_MICROS) {
            LOG.warn(
                    "the clock of this machine is {} s behind the journal: time goes on from the journal's, a tenth slower until"
                            + " the clock has caught up. Where the clock had been wrong before, delete the journal folder",
                    ticker.aheadMicros() / 1_000_000);
        }
        return ticker;
    }

    private RecordWriter record(RecordSettings recording) throws StartException {
        try {
            return RecordWriter.open(recording.file(), recording.maxOctets(), ticker);
        } catch (IOException e) {
            alarm.close();
            closeJournal();
            throw new StartException(Part.RECORD, String.valueOf(e.getMessage()), e);
        }
    }

    private Reloader reloader(ConfigFiles files, Keys keys, Events events) throws StartException {
        Reloader.Parts parts = new Reloader.Parts(
                files.source(),
                new HttpWeb(FETCH_WITHIN),
                files.vault(),
                keys::copyName,
                new SharedRandom(new SecureRandom().nextLong()),
                ticker,
                new ReloadReport(metrics.registry(), events, ticker.micros()));
        try {
            return new Reloader(config, parts);
        } catch (IOException e) {
            closeEarly();
            throw new StartException(Part.DATA, String.valueOf(e.getMessage()), e);
        }
    }

    private void closeJournal() {
        if (journal != null) {
            journal.close();
        }
    }

    private void closeEarly() {
        prober.close();
        alarm.close();
        closeJournal();
        if (record != null) {
            record.close();
        }
        metrics.close();
    }

    /** What a reload changes while all of it runs. */
    private final class Running implements Live {
        @Override
        public CompletionStage<Void> apply(ServiceConfig changed, List<PoolConfig> pools) {
            return gate.configure(changed.withPools(pools).gateConfig()).thenRun(() -> {
                known.replace(pools);
                tokens.replace(changed.api().tokens().stream().map(ApiToken::of).toList());
                proxy.reconfigure(proxySettings(changed.proxy()));
            });
        }

        @Override
        public int inService(String pool) {
            return gate.pools().stream()
                    .filter(status -> status.settings().name().equals(pool))
                    .mapToInt(status -> (int) status.addresses().stream()
                            .filter(address -> address.standing().inService())
                            .count())
                    .sum();
        }
    }

    private static Map<String, String> summary(ServiceConfig config, List<PoolConfig> pools) {
        Map<String, String> summary = new LinkedHashMap<>();
        summary.put("version", BuildInfo.version());
        summary.put("store", config.store().toString());
        pools.forEach(pool -> summary.put(
                "pool " + pool.settings().name(),
                pool.addresses().size() + " addresses, "
                        + pool.settings().strategy().word()));
        summary.put("rules", Integer.toString(config.rules().size()));
        return summary;
    }

    private Insight insight() {
        return new Insight() {
            @Override
            public CompletionStage<List<Inspection>> address(String id) {
                return gate.inspect(id);
            }

            @Override
            public CompletionStage<Optional<Inspection.Binding>> session(
                    String tenant, @Nullable String pool, String key) {
                return gate.inspectSession(tenant, pool, key);
            }
        };
    }

    private OpenStore openStore(MemoryStore memory, Events events) throws StartException {
        Gauge.builder("paceline.store.degraded", readiness, now -> now.isDegraded() ? 1 : 0)
                .description("1 while the shared store is away and this instance goes on alone")
                .register(metrics.registry());
        try {
            SharedRandom random = new SharedRandom(new SecureRandom().nextLong());
            return OpenStore.open(config.store(), rest(), memory, ticker, alarm, random, state -> told(state, events));
        } catch (StartException e) {
            closeEarly();
            throw e;
        }
    }

    /** The longest lease, and a minute for the windows of limits: what another instance granted may matter so long. */
    private Duration rest() {
        return config.pools().stream()
                .map(pool -> pool.settings().leaseTtl())
                .reduce(Duration.ofMinutes(1), (one, other) -> one.compareTo(other) >= 0 ? one : other);
    }

    private void told(StoreState state, Events events) {
        readiness.degraded(state.degraded() ? state.detail() : null);
        String what = state.degraded() ? "store_degraded" : "store_shared";
        events.configured(what, state.detail(), Map.of("store", config.store().toString()));
        if (state.degraded()) {
            LOG.warn("store: {}", state.detail());
        } else {
            LOG.info("store: {}", state.detail());
        }
    }

    /** What the gatekeeper goes by now; before it has begun, what it will begin with. */
    private GateConfig configured() {
        return gate == null ? config.gateConfig() : gate.config();
    }

    private EmbeddedGatekeeper openGate(GateListener listener) throws StartException {
        try {
            return OpenStore.patiently(() -> gate(listener));
        } catch (StartException e) {
            store.close();
            closeEarly();
            throw e;
        }
    }

    private CompletionStage<EmbeddedGatekeeper> gate(GateListener listener) {
        GateConfig gateConfig = config.withPools(reloader.pools()).gateConfig();
        SharedRandom random = new SharedRandom(new SecureRandom().nextLong());
        return EmbeddedGatekeeper.builder(store.store(), ticker, alarm, random)
                .listener(listener)
                .spending(spending)
                .prober(prober)
                .robots(
                        prober.pages(config.proxy().allowPrivateTargets(), ticker),
                        config.robotsAgent(),
                        config.proxy().allowPrivateTargets())
                .start(gateConfig);
    }

    private static List<String> targetNames(ServiceConfig config) {
        return config.targets().stream()
                .map(TargetSettings::name)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static Vertx vertx() {
        return Vertx.vertx(new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(eventLoops())
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
    }

    private static int eventLoops() {
        return Runtime.getRuntime().availableProcessors();
    }

    private ApiServer api(LeaseTokens leases, SessionViews sessions, ExplainRoutes explain) {
        ListenAddress listen = config.api().listen();
        ApiSettings settings = new ApiSettings(
                listen.host(),
                listen.port(),
                config.api().refusalAs200(),
                config.proxy().allowPrivateTargets(),
                tokens,
                new Sight(() -> configured().tenants(), traces));
        Views views = new Views(
                status,
                () -> gate.config().rules(),
                () -> gate.config().tenants(),
                readiness,
                ticker,
                config.store().toString(),
                store.division(),
                reloader::status);
        Pages pages = new Pages(vertx, readiness, metrics::scrape, reloader::status);
        return new ApiServer(
                vertx,
                settings,
                new PermitApi(
                        gate,
                        ticker,
                        settings,
                        readiness,
                        leases,
                        known,
                        views,
                        sessions,
                        eventRoutes,
                        explain,
                        new TenantRoutes(usage, this::configured),
                        pages,
                        reloader));
    }

    private ProxySettings proxySettings(ProxyConfig wanted) {
        return proxySettings
                .withRetries(wanted.retries())
                .withMaxWait(wanted.maxWait())
                .withConnectPorts(Set.copyOf(wanted.connectPorts()))
                .withTunnelMax(wanted.tunnelMax());
    }

    private ForwardProxy proxy(LeaseTokens leases) {
        return new ForwardProxy(
                proxySettings(config.proxy()),
                new ForwardProxy.Collaborators(
                        gate,
                        tokens.isEmpty() ? Authenticator.OPEN : new ProxyTokens(tokens),
                        new ProxyCounters(metrics.registry()),
                        resolver,
                        lease -> lease.id() == null ? null : leases.write(lease.id(), lease.tenant())));
    }

    // ---- start

    private void listen() throws StartException {
        try {
            apiPort = api.start(eventLoops()).toCompletableFuture().join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartException(
                    Part.API, "the API cannot listen on " + config.api().listen() + ": " + reason(cause), cause);
        }
        try {
            proxyPort = proxy.start().getPort();
        } catch (IOException e) {
            throw new StartException(
                    Part.PROXY,
                    "the forward proxy cannot listen on " + config.proxy().listen() + ": " + reason(e),
                    e);
        }
    }

    /** What is in force, and what may not be meant. */
    private void introduce() {
        LOG.info(
                "configuration in effect:{}{}",
                System.lineSeparator(),
                config.withPools(reloader.pools()).describe());
        long unreachable = reloader.pools().stream()
                .flatMap(pool -> pool.addresses().stream())
                .filter(address -> !ForwardProxy.supports(address.endpoint()))
                .count();
        if (unreachable > 0) {
            LOG.warn(
                    "{} addresses speak a protocol that the forward proxy of this version does not: requests that it sends"
                            + " through them fail; /acquire hands them out as they are",
                    unreachable);
        }
    }

    /** The system's own words differ between transports; these are for a person. */
    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("Address already in use")) {
            return "the port is taken";
        }
        if (message.contains("Permission denied")) {
            return "this user may not open that port";
        }
        if (message.contains("Cannot assign requested address")) {
            return "this machine has no such address";
        }
        return message;
    }

    /**
     * Reads all files again, as the configuration's keys {@code reload} say and the API does.
     *
     * @param why a few words for the log: who asked
     */
    public CompletionStage<ReloadResult> reload(String why) {
        return reloader.reload(why);
    }

    public String apiUrl() {
        return url(config.api().listen(), apiPort);
    }

    public String proxyUrl() {
        return url(config.proxy().listen(), proxyPort);
    }

    private static String url(ListenAddress listen, int port) {
        return "http://" + new ListenAddress(listen.host(), port);
    }

    /** {@code ready api=http://127.0.0.1:8080 proxy=http://127.0.0.1:8000 store=memory addresses=12}. */
    public String readyLine() {
        return "ready api=" + apiUrl() + " proxy=" + proxyUrl() + " store=" + config.store() + " addresses="
                + known.size();
    }

    // ---- stop

    /**
     * Takes no new work, lets what runs end within the time given, then ends. Running work is a call without its answer,
     * a lease without its release, a request or tunnel of the forward proxy.
     */
    public void stop(Duration within) {
        readiness.drain();
        eventRoutes.close();
        reloader.close();
        LOG.info("draining: no new work, up to {} s for what runs", within.toSeconds());
        long deadline = ticker.micros() + TimeUnit.NANOSECONDS.toMicros(within.toNanos());
        CompletionStage<Void> proxyDone = proxy.stop(within);
        CompletableFuture<Void> idle = new CompletableFuture<>();
        lookUntilIdle(idle, deadline);
        idle.join();
        proxyDone
                .toCompletableFuture()
                .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                .join();
        close();
        LOG.info("stopped");
    }

    private void lookUntilIdle(CompletableFuture<Void> idle, long deadline) {
        status.status().whenComplete((now, failure) -> {
            long leases = failure != null
                    ? 0
                    : now.pools().stream().mapToLong(Status.Pool::leases).sum();
            if ((leases == 0 && api.running() == 0) || ticker.micros() >= deadline) {
                if (leases > 0 || api.running() > 0) {
                    LOG.warn("{} leases and {} calls did not end in time", leases, api.running());
                }
                idle.complete(null);
            } else {
                alarm.at(ticker.micros() + DRAIN_LOOK_MICROS, () -> lookUntilIdle(idle, deadline));
            }
        });
    }

    private void close() {
        reloader.close();
        gate.close();
        store.close();
        prober.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        alarm.close();
        if (record != null) {
            record.close();
        }
        if (usageFile != null) {
            usageFile.close();
        }
        if (journal != null) {
            journal.close();
        }
        metrics.close();
    }
}
