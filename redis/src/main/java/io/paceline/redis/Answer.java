package io.paceline.redis;

import java.util.List;
import java.util.stream.IntStream;

/** What a script has answered: numbers, octets and lists by their place. */
record Answer(List<Object> values) {

    int size() {
        return values.size();
    }

    int number(int place) {
        return (int) micros(place);
    }

    long micros(int place) {
        return (Long) values.get(place);
    }

    boolean flag(int place) {
        return micros(place) == 1;
    }

    byte[] octets(int place) {
        return (byte[]) values.get(place);
    }

    boolean isList(int place) {
        return values.get(place) instanceof List;
    }

    @SuppressWarnings("unchecked") // a list in an answer is always one of such values
    List<Object> list(int place) {
        return (List<Object>) values.get(place);
    }

    Answer part(int place) {
        return new Answer(list(place));
    }

    List<Answer> parts() {
        return IntStream.range(0, size()).mapToObj(this::part).toList();
    }
}
