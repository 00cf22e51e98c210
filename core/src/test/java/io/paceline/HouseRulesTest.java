package io.paceline;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.IDN;
import java.net.InetAddress;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Time, chance and the outside world come to decisions as arguments; rooms know each other in one direction. */
@AnalyzeClasses(packages = "io.paceline", importOptions = ImportOption.DoNotIncludeTests.class)
final class HouseRulesTest {
    private static final String PACE = "io.paceline.pace..";
    private static final String POOL = "io.paceline.pool..";
    private static final String HEALTH = "io.paceline.health..";
    private static final String STORE = "io.paceline.store..";
    private static final String SCALE = "io.paceline.scale..";
    private static final String ROOT = "io.paceline";
    private static final String[] DECISIONS = {ROOT, PACE, POOL, HEALTH, STORE, SCALE};

    private HouseRulesTest() {}

    @ArchTest
    static final ArchRule decisions_have_no_clock = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .callMethodWhere(target(nameMatching("now|currentTimeMillis|nanoTime|system.*"))
                    .and(target(owner(resideInAnyPackage("java.time..")
                            .or(assignableTo(System.class))
                            .or(assignableTo(Instant.class))))))
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock");

    @ArchTest
    static final ArchRule decisions_have_no_chance_of_their_own = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(RandomGenerator.class, "getDefault")
            .orShould()
            .dependOnClassesThat(assignableTo(java.util.Random.class).or(assignableTo(SplittableRandom.class)))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(java.util.UUID.class))).and(target(nameMatching("randomUUID"))));

    @ArchTest
    static final ArchRule decisions_have_no_thread = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .dependOnClassesThat(assignableTo(Thread.class)
                    .or(assignableTo(java.util.concurrent.Executor.class))
                    .or(assignableTo(java.util.Timer.class)));

    /** Stages are completed by whoever has the answer; without an executor named, "async" would take one of its own. */
    @ArchTest
    static final ArchRule decisions_hand_nothing_to_another_thread = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .callMethodWhere(target(owner(assignableTo(java.util.concurrent.CompletionStage.class)))
                    .and(target(nameMatching(".*Async|orTimeout|completeOnTimeout|delayedExecutor"))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(java.util.Collection.class)))
                    .and(target(nameMatching("parallelStream"))));

    @ArchTest
    static final ArchRule decisions_write_no_log = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.slf4j..", "java.util.logging..")
            .orShould()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    /** Addresses may be looked at, and names written in ASCII; nothing is opened, and no name is resolved. */
    @ArchTest
    static final ArchRule decisions_reach_for_nothing_outside = noClasses()
            .that()
            .resideInAnyPackage(DECISIONS)
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.io", "java.nio.file..", "java.nio.channels..", "java.net..")
                    .and(not(belongToAnyOf(
                            IDN.class,
                            InetAddress.class,
                            java.io.Serializable.class,
                            java.io.IOException.class,
                            java.io.UncheckedIOException.class))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(InetAddress.class)))
                    .and(target(nameMatching("getByName|getAllByName|getLocalHost|isReachable|get.*HostName"))));

    @ArchTest
    static final ArchRule pace_knows_no_other_room = noClasses()
            .that()
            .resideInAPackage(PACE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(POOL, HEALTH, STORE, SCALE);

    @ArchTest
    static final ArchRule health_knows_no_other_room = noClasses()
            .that()
            .resideInAPackage(HEALTH)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(PACE, POOL, STORE, SCALE);

    /** A store counts for pace and keeps what health decided; who is proposed to it is none of its business. */
    @ArchTest
    static final ArchRule store_knows_pace_and_health_alone = noClasses()
            .that()
            .resideInAPackage(STORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(POOL, SCALE);

    @ArchTest
    static final ArchRule pool_proposes_to_the_store_and_knows_no_rules = noClasses()
            .that()
            .resideInAPackage(POOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(PACE, SCALE);

    /** The gatekeeper itself sits above the rooms; below it they use the words of the API alone. */
    @ArchTest
    static final ArchRule no_room_knows_the_gatekeeper = noClasses()
            .that()
            .resideInAnyPackage(PACE, POOL, HEALTH, STORE, SCALE)
            .should()
            .dependOnClassesThat(assignableTo(Gatekeeper.class)
                    .or(belongToAnyOf(
                            Attempt.class,
                            ControlProbes.class,
                            Judge.class,
                            Routes.class,
                            WaitingRoom.class,
                            PoolRuntime.class,
                            GateConfig.class,
                            GateListener.class)));
}
