package io.paceline.service.supply;

import java.util.ArrayList;
import java.util.List;

/** Writes down what it is told. */
final class Heard implements SupplyListener {

    final List<String> log = new ArrayList<>();

    @Override
    public void changed(String why) {
        log.add("changed: " + why);
    }

    @Override
    public void fetched(ListState list) {
        log.add(list.fault() == null ? "fetched " + list.addresses() : "failed: " + list.fault());
    }

    @Override
    public void asked(SupplyState supply, String what, String reason, int addresses) {
        log.add(what + ": " + reason);
    }
}
