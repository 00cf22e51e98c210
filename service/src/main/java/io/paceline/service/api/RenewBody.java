package io.paceline.service.api;

import java.util.List;

/**
 * What {@code POST /renew} is sent.
 *
 * @param lease the token, not yet verified
 */
record RenewBody(String lease) {

    private static final List<String> FIELDS = List.of("lease");

    static RenewBody read(byte[] octets) {
        String[] lease = new String[1];
        JsonIn.body(octets, FIELDS, in -> name -> {
            if (!name.equals("lease")) {
                return false;
            }
            lease[0] = in.text(name, ReleaseBody.MAX_LEASE_CHARS);
            return true;
        });
        if (lease[0] == null) {
            throw HttpProblem.field("lease", "`lease` is missing: send the one that /acquire gave");
        }
        return new RenewBody(lease[0]);
    }
}
