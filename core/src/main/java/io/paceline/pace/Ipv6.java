package io.paceline.pace;

import org.jspecify.annotations.Nullable;

/** IPv6 addresses as text: every spelling of RFC 4291 is read, the shortest one of RFC 5952 is written. */
final class Ipv6 {
    private static final int GROUPS = 8;

    private Ipv6() {}

    /** The eight groups, or null where the text (without brackets) is no IPv6 address. Zone ids are not taken. */
    static int @Nullable [] parse(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            int[] groups = new int[GROUPS];
            return groups(text, groups) == GROUPS ? groups : null;
        }
        int[] head = new int[GROUPS];
        int[] tail = new int[GROUPS];
        String before = text.substring(0, gap);
        int headCount = before.isEmpty() ? 0 : before.indexOf('.') >= 0 ? -1 : groups(before, head);
        int tailCount = gap + 2 == text.length() ? 0 : groups(text.substring(gap + 2), tail);
        // "::" stands for at least one group of zeros.
        if (headCount < 0 || tailCount < 0 || headCount + tailCount >= GROUPS) {
            return null;
        }
        System.arraycopy(tail, 0, head, GROUPS - tailCount, tailCount);
        return head;
    }

    /** Reads groups with single colons between them, the last two perhaps as a dotted quad; their number, or -1. */
    private static int groups(String text, int[] into) {
        int count = 0;
        int start = 0;
        while (true) {
            int colon = text.indexOf(':', start);
            int end = colon < 0 ? text.length() : colon;
            if (colon < 0 && text.indexOf('.', start) >= 0) {
                long quad = Ipv4.parse(text, start, end);
                if (quad == Ipv4.NONE || count + 2 > GROUPS) {
                    return -1;
                }
                into[count] = (int) (quad >> 16);
                into[count + 1] = (int) (quad & 0xffff);
                return count + 2;
            }
            int group = group(text, start, end);
            if (group < 0 || count == GROUPS) {
                return -1;
            }
            into[count++] = group;
            if (colon < 0) {
                return count;
            }
            start = colon + 1;
        }
    }

    private static int group(String text, int start, int end) {
        if (start == end || end - start > 4) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Lower case, no leading zeros, the first longest run of two or more zero groups as "::". */
    static String format(int[] groups) {
        int bestStart = -1;
        int bestLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > bestLength) {
                bestStart = i;
                bestLength = end - i;
            }
            i = Math.max(i, end - 1);
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == bestStart) {
                text.append("::");
                i += bestLength - 1;
                continue;
            }
            if (i > 0 && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }

    /** The IPv4 address that ::ffff:0:0/96 stands for, or {@link Ipv4#NONE}. */
    static long mappedIpv4(int[] groups) {
        for (int i = 0; i < 5; i++) {
            if (groups[i] != 0) {
                return Ipv4.NONE;
            }
        }
        return groups[5] == 0xffff ? quad(groups[6], groups[7]) : Ipv4.NONE;
    }

    static long quad(int high, int low) {
        return (long) high << 16 | low;
    }
}
