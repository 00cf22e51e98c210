package io.paceline.demo.history;

import io.paceline.demo.history.Event.End;
import io.paceline.demo.history.Event.Permit;
import io.paceline.demo.history.Event.Release;
import io.paceline.demo.history.Finding.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every lease ends once: of its releases one is told that it ended it, and a lease that is live is there to be released. While
 * an instance has no shared store it believes the caller, and tells the end later; a lease whose instance was killed while the
 * store lost everything is known to nobody.
 */
final class LeaseEnds implements Checker.Check {
    private final History history;

    LeaseEnds(History history) {
        this.history = history;
    }

    @Override
    public void into(List<Finding> found) {
        Set<String> ids = new HashSet<>();
        history.all(Permit.class).forEach(permit -> {
            if (!ids.add(permit.lease())) {
                found.add(new Finding(
                        Kind.END, permit.answeredMicros(), false, "one lease was let twice", List.of(permit)));
            }
            List<Release> releases = history.releases(permit.lease());
            if (!releases.isEmpty()) {
                first(found, permit, releases.get(0));
                again(found, permit, releases);
            }
        });
    }

    /** Nobody else knows the lease, so the first release ends it unless it has expired. */
    private void first(List<Finding> found, Permit permit, Release release) {
        boolean live =
                release.answeredMicros() < permit.calledMicros() + permit.lifeMicros() - Checker.CLOCK_SLACK_MICROS;
        if (live && release.end() != End.RELEASED && release.end() != End.SILENCE) {
            boolean together = history.modes().allShared(permit.calledMicros(), release.answeredMicros());
            boolean orphan = !together && gone(permit.instance(), release.answeredMicros());
            boolean lost = history.befell(
                    LeaseCaps.FAILOVER,
                    permit.calledMicros(),
                    permit.answeredMicros() + LeaseCaps.LOST_AT_FAILOVER_MICROS);
            found.add(new Finding(
                    Kind.LOST,
                    release.answeredMicros(),
                    orphan || lost,
                    "a live lease on " + permit.address() + " was released, and the answer was " + release.end(),
                    List.of(permit, release)));
        }
    }

    private boolean gone(String instance, long byMicros) {
        return history.modes().goneBy(instance, byMicros);
    }

    /** Of the slice of one who was killed the others do not know whether he goes on alone: they believe callers, too. */
    private boolean anyGone(long byMicros) {
        return history.modes().instances().stream().anyMatch(instance -> gone(instance, byMicros));
    }

    private void again(List<Finding> found, Permit permit, List<Release> releases) {
        Release ended = null;
        for (Release release : releases) {
            if (release.end() != End.RELEASED) {
                continue;
            }
            if (ended != null && ended.answeredMicros() <= release.calledMicros()) {
                boolean bounded = !history.modes().allShared(ended.calledMicros(), release.answeredMicros())
                        || anyGone(release.answeredMicros());
                found.add(new Finding(
                        Kind.END,
                        release.answeredMicros(),
                        bounded,
                        "a lease on " + permit.address() + " was ended twice",
                        List.of(permit, ended, release)));
            }
            ended = release;
        }
    }
}
