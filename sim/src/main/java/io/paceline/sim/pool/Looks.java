package io.paceline.sim.pool;

import java.util.List;

/**
 * How the failures of one fault look: one face, or a mixture.
 *
 * @param faces which ones
 * @param weights how often each, in the same order
 */
record Looks(List<Face> faces, List<Double> weights) {

    /** What goes wrong now and then with everybody. */
    static final Looks NOISE = new Looks(
            List.of(Face.NO_CONNECTION, Face.SILENCE, Face.BAD_GATEWAY, Face.SERVER_ERROR),
            List.of(0.35, 0.15, 0.15, 0.35));

    Looks {
        faces = List.copyOf(faces);
        weights = List.copyOf(weights);
        if (faces.isEmpty() || faces.size() != weights.size()) {
            throw new IllegalArgumentException("as many weights as faces are needed, at least one");
        }
    }

    static Looks only(Face face) {
        return new Looks(List.of(face), List.of(1.0));
    }

    /** A site that breaks down: server errors, silence and refusals, in proportions that differ from day to day. */
    static Looks breakdown(double errors, double silence, double refusals) {
        return new Looks(List.of(Face.SERVER_ERROR, Face.SILENCE, Face.FORBIDDEN), List.of(errors, silence, refusals));
    }

    /** The face that a draw between 0 and 1 falls on. */
    Face drawn(double draw) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double left = draw * total;
        for (int i = 0; i < faces.size() - 1; i++) {
            left -= weights.get(i);
            if (left < 0) {
                return faces.get(i);
            }
        }
        return faces.get(faces.size() - 1);
    }
}
