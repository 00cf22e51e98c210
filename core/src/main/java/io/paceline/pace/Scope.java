package io.paceline.pace;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.stream.Collectors;

/**
 * What shares a bucket of a rule: a combination of the words of {@link Per}. Requests that are alike in all of them are
 * charged to one bucket.
 *
 * <p>Immutable. Target and caller are known before the store is asked; the address is known only when one is taken, so the
 * store finds that part of the key itself ({@link Charge#at}).
 */
public final class Scope {
    /** The default: each target its own. */
    public static final Scope TARGET = new Scope(EnumSet.of(Per.TARGET));

    private final EnumSet<Per> words;
    private final boolean perAddress;
    private final boolean perCaller;

    private Scope(EnumSet<Per> words) {
        this.words = words;
        this.perAddress = words.contains(Per.ADDRESS);
        this.perCaller = words.contains(Per.SESSION) || words.contains(Per.CLIENT) || words.contains(Per.TENANT);
    }

    /** @throws IllegalArgumentException where there is none, or one that stands alone has company */
    public static Scope of(Collection<Per> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("per is empty: write per: target, or leave it out");
        }
        EnumSet<Per> distinct = EnumSet.copyOf(words);
        for (Per word : distinct) {
            if (word.standsAlone() && distinct.size() > 1) {
                throw new IllegalArgumentException("per: " + word.word() + " is one bucket for all, so beside "
                        + distinct.stream()
                                .filter(other -> other != word)
                                .map(Per::word)
                                .collect(Collectors.joining(", "))
                        + " it says nothing: leave one of them out");
            }
        }
        return new Scope(distinct);
    }

    public static Scope of(Per... words) {
        return of(Arrays.asList(words));
    }

    public boolean has(Per word) {
        return words.contains(word);
    }

    /** Whether the bucket depends on the address that is taken. */
    public boolean perAddress() {
        return perAddress;
    }

    /** Whether the bucket depends on tenant, client or session. */
    public boolean perCaller() {
        return perCaller;
    }

    /** The words of the configuration: {@code target, address}. */
    public String word() {
        return words.stream().map(Per::word).collect(Collectors.joining(", "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Scope scope && words.equals(scope.words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    @Override
    public String toString() {
        return word();
    }
}
