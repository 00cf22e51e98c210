package io.paceline.sim.pool;

import io.paceline.Address;
import io.paceline.Endpoint;
import io.paceline.Prober;
import io.paceline.health.ControlAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the control URLs of this world: the truth answers after the time that it takes. One thread. */
final class VirtualProber implements Prober {
    private static final long DIRECT_TIMEOUT_MICROS = 5_000_000;

    private final House house;
    private final Truth truth;
    private final Map<String, Integer> placeOfHost = new HashMap<>();
    private long asked;

    VirtualProber(House house, Truth truth) {
        this.house = house;
        this.truth = truth;
        for (Address address : house.layout().addresses()) {
            placeOfHost.put(address.endpoint().host(), placeOfHost.size());
        }
    }

    @Override
    public boolean supports(Endpoint via) {
        return true;
    }

    @Override
    public CompletionStage<ControlAnswer> ask(Endpoint via, String url) {
        int address = via.isDirect() ? -1 : placeOfHost.getOrDefault(via.host(), -1);
        Truth.Answer truly = truth.control(++asked, address, url, house.now());
        long patience = via.isDirect() ? DIRECT_TIMEOUT_MICROS : Truth.TIMEOUT_MICROS;
        long after = Math.min(truly.latencyMicros(), patience);
        CompletableFuture<ControlAnswer> answer = new CompletableFuture<>();
        house.events().in(after, () -> answer.complete(heard(truly.face(), after)));
        return answer;
    }

    private static ControlAnswer heard(Face face, long latencyMicros) {
        return switch (face) {
            case OK -> ControlAnswer.passed(204, latencyMicros);
            case NO_CONNECTION -> ControlAnswer.silent("no connection");
            case SILENCE -> ControlAnswer.silent("timed out");
            case BAD_GATEWAY -> ControlAnswer.silent("its proxy answered 502");
            case FORBIDDEN, CHALLENGE, SERVER_ERROR -> ControlAnswer.answered(face.status, latencyMicros);
        };
    }
}
