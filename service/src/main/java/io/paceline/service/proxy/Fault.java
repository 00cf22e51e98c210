package io.paceline.service.proxy;

import io.paceline.Outcome;

/**
 * A request that failed behind us: what it says about address and target, and what the client is told.
 *
 * @param outcome for the lease
 * @param error for the client, unless another address does better
 * @param retries how many further addresses may be tried for it: {@link #NEVER} where the address is not at fault, or
 *     where the target may have seen the request
 */
record Fault(Outcome outcome, ProxyError error, int retries) {
    static final int NEVER = 0;
    static final int AS_CONFIGURED = Integer.MAX_VALUE;
}
