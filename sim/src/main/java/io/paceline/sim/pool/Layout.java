package io.paceline.sim.pool;

import io.paceline.Address;
import io.paceline.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What there is: addresses (some of which may join later) and sites. Everything has its place in these lists as a number.
 *
 * @param addresses all that ever take part
 * @param members how many of them are in the pool at the beginning: the first ones
 * @param sites the targets
 * @param noise share of tries that fail by nobody's fault
 * @param controls control URLs
 */
record Layout(List<Address> addresses, int members, List<Site> sites, double noise, List<Control> controls) {

    /** The tag of an address that names its provider. */
    static final String PROVIDER = "provider";

    Layout {
        addresses = List.copyOf(addresses);
        sites = List.copyOf(sites);
        controls = List.copyOf(controls);
    }

    /**
     * A pool of that size, spread over providers in turn.
     *
     * @param spare more addresses of the same kind, that may join later
     */
    static Layout of(int members, int spare, int providers, List<Site> sites, double noise) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < members + spare; i++) {
            String host = "198.51." + (100 + i / 250) + "." + (1 + i % 250);
            addresses.add(new Address(
                    "a" + i,
                    new Endpoint(Endpoint.Scheme.HTTP, host, 8080, null),
                    Map.of(PROVIDER, "p" + i % providers),
                    1,
                    false));
        }
        return new Layout(addresses, members, sites, noise, List.of());
    }

    /** The same with control URLs. */
    Layout withControls(List<Control> some) {
        return new Layout(addresses, members, sites, noise, some);
    }

    String provider(int address) {
        return addresses.get(address).tags().getOrDefault(PROVIDER, "");
    }
}
