package io.paceline;

import com.dynatrace.hash4j.hashing.Hashing;
import io.paceline.pace.Hosts;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What addresses have in common that may fail as one: the provider, and the subnet. */
public final class Kin {
    private static final String PROVIDER = "provider";
    private static final String SUBNET = "subnet";

    private Kin() {}

    /** {@code provider=acme}; null where nobody has said. */
    public static @Nullable String provider(Address address) {
        String provider = address.tags().get(PROVIDER);
        return provider == null ? null : PROVIDER + '=' + provider;
    }

    /** {@code subnet=198.51.100.0/24}: as tagged, else that of a literal IPv4 address; null for names and for our own side. */
    public static @Nullable String subnet(Address address) {
        String tagged = address.tags().get(SUBNET);
        return tagged != null
                ? SUBNET + '=' + tagged
                : Optional.ofNullable(address.endpoint().host())
                        .flatMap(Kin::subnetOf)
                        .map(subnet -> SUBNET + '=' + subnet)
                        .orElse(null);
    }

    private static Optional<String> subnetOf(String host) {
        int last = host.lastIndexOf('.');
        return Hosts.isAddressLiteral(host) && host.indexOf(':') < 0
                ? Optional.of(host.substring(0, last) + ".0/24")
                : Optional.empty();
    }

    /** The name by which the store knows a group; 0 for none. */
    public static long hash(@Nullable String group) {
        return group == null ? 0 : Hashing.komihash5_0().hashCharsToLong("tag:" + group);
    }
}
