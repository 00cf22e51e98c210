package io.paceline.pace;

/**
 * Which addresses are nobody's public site: private, local, shared, multicast or reserved ranges of the IANA
 * special-purpose registries (RFC 6890 and its updates).
 *
 * <p>The documentation ranges (192.0.2.0/24, 2001:db8::/32 and their like) count as public: nothing answers there, and
 * they are what people try things out with.
 */
final class AddressRanges {
    private static final long[] IPV4 = {
        range("0.0.0.0", 8), // "this network": 0.0.0.0 reaches the own host
        range("10.0.0.0", 8),
        range("100.64.0.0", 10), // carrier-grade NAT
        range("127.0.0.0", 8),
        range("169.254.0.0", 16), // link-local: metadata services of clouds
        range("172.16.0.0", 12),
        range("192.0.0.0", 24), // protocol assignments
        range("192.88.99.0", 24), // 6to4 relays, withdrawn
        range("192.168.0.0", 16),
        range("198.18.0.0", 15), // benchmarks
        range("224.0.0.0", 4), // multicast
        range("240.0.0.0", 4), // reserved, broadcast
    };

    private AddressRanges() {}

    static boolean isPrivate(long ipv4) {
        for (long range : IPV4) {
            int free = 32 - (int) (range & 63);
            if (ipv4 >> free == range >> 6 >> free) {
                return true;
            }
        }
        return false;
    }

    /** Only global unicast (2000::/3) and NAT64's well-known prefix can be public, by the IPv4 address inside if any. */
    static boolean isPrivate(int[] ipv6) {
        long mapped = Ipv6.mappedIpv4(ipv6);
        if (mapped != Ipv4.NONE) {
            return isPrivate(mapped);
        }
        long last = Ipv6.quad(ipv6[6], ipv6[7]);
        if (ipv6[0] == 0x64 && ipv6[1] == 0xff9b && (ipv6[2] | ipv6[3] | ipv6[4] | ipv6[5]) == 0) {
            return isPrivate(last);
        }
        if (ipv6[0] >> 13 != 1) {
            return true;
        }
        if (ipv6[0] == 0x2002) {
            return isPrivate(Ipv6.quad(ipv6[1], ipv6[2]));
        }
        if (ipv6[0] == 0x2001 && ipv6[1] == 0) {
            // Teredo (RFC 4380): the server in front, the client's address inverted at the end.
            return isPrivate(Ipv6.quad(ipv6[2], ipv6[3])) || isPrivate(~last & 0xffff_ffffL);
        }
        boolean isatap = (ipv6[4] == 0 || ipv6[4] == 0x200) && ipv6[5] == 0x5efe;
        return isatap && isPrivate(last);
    }

    /** Address and prefix length in one number. */
    private static long range(String address, int prefix) {
        return Ipv4.parse(address) << 6 | prefix;
    }
}
