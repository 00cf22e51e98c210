package io.paceline.service.metrics;

import io.paceline.Choice;
import io.paceline.Decision;
import io.paceline.GateListener;
import io.paceline.Lease;
import io.paceline.LeaseId;
import io.paceline.Outcome;
import io.paceline.Pause;
import io.paceline.Request;
import io.paceline.Transition;
import io.paceline.health.ControlResult;
import io.paceline.health.ControlUrl;
import io.paceline.health.Verdict;
import io.paceline.health.Verdict.Guilty;
import io.paceline.pace.LatencyWatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several listeners as one, told in order. */
public final class Listeners implements GateListener {

    private final GateListener[] listeners;

    private Listeners(List<GateListener> listeners) {
        this.listeners = listeners.toArray(GateListener[]::new);
    }

    public static GateListener of(GateListener... listeners) {
        return new Listeners(List.of(listeners));
    }

    @Override
    public void decided(Request request, String pool, Decision decision, long startedAtMicros, long answeredAtMicros) {
        for (GateListener listener : listeners) {
            listener.decided(request, pool, decision, startedAtMicros, answeredAtMicros);
        }
    }

    @Override
    public void settled(String pool, String addressId, String target, Outcome outcome, boolean trained) {
        for (GateListener listener : listeners) {
            listener.settled(pool, addressId, target, outcome, trained);
        }
    }

    @Override
    public void settled(LeaseId lease, String pool, String addressId, String target, Outcome outcome, boolean trained) {
        for (GateListener listener : listeners) {
            listener.settled(lease, pool, addressId, target, outcome, trained);
        }
    }

    @Override
    public boolean wantsChoices() {
        for (GateListener listener : listeners) {
            if (listener.wantsChoices()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void chosen(Lease lease, Choice choice) {
        for (GateListener listener : listeners) {
            listener.chosen(lease, choice);
        }
    }

    @Override
    public void expired(String pool, String addressId) {
        for (GateListener listener : listeners) {
            listener.expired(pool, addressId);
        }
    }

    @Override
    public void expired(long lease, String pool, String addressId) {
        for (GateListener listener : listeners) {
            listener.expired(lease, pool, addressId);
        }
    }

    @Override
    public void transition(Transition transition) {
        for (GateListener listener : listeners) {
            listener.transition(transition);
        }
    }

    @Override
    public void paused(Pause pause) {
        for (GateListener listener : listeners) {
            listener.paused(pause);
        }
    }

    @Override
    public void slowed(String target, double perSecond, LatencyWatch watch) {
        for (GateListener listener : listeners) {
            listener.slowed(target, perSecond, watch);
        }
    }

    @Override
    public void verdict(String pool, Guilty guilty, String name, @Nullable Verdict verdict) {
        for (GateListener listener : listeners) {
            listener.verdict(pool, guilty, name, verdict);
        }
    }

    @Override
    public void controlUrl(ControlUrl url) {
        for (GateListener listener : listeners) {
            listener.controlUrl(url);
        }
    }

    @Override
    public void probed(String pool, String addressId, ControlResult result) {
        for (GateListener listener : listeners) {
            listener.probed(pool, addressId, result);
        }
    }

    @Override
    public void dryRunRefusal(String rule) {
        for (GateListener listener : listeners) {
            listener.dryRunRefusal(rule);
        }
    }

    @Override
    public void nearLimit(String rule, String target) {
        for (GateListener listener : listeners) {
            listener.nearLimit(rule, target);
        }
    }

    @Override
    public void storeError(String operation, Throwable cause) {
        for (GateListener listener : listeners) {
            listener.storeError(operation, cause);
        }
    }
}
