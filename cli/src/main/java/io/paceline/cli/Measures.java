package io.paceline.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Measures in JSON: one that a scenario does not have, which is NaN inside, is null there. */
final class Measures {

    private Measures() {}

    static void put(ObjectNode node, String name, double value) {
        if (Double.isNaN(value)) {
            node.putNull(name);
        } else {
            node.put(name, value);
        }
    }
}
