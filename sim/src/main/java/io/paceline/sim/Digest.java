package io.paceline.sim;

/** A number for a whole history: two runs with the same digest took the same steps in the same order. */
public final class Digest {

    /** FNV-1a's offset and prime, over 64-bit words. */
    private static final long PRIME = 0x100000001B3L;

    private long value = 0xCBF29CE484222325L;

    public void add(long word) {
        long mixed = (value ^ word) * PRIME;
        value = mixed ^ (mixed >>> 29);
    }

    public void add(String text) {
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
    }

    public long value() {
        return value;
    }
}
