package io.paceline.service.reload;

/** What became of an address that was to be removed. */
public enum Removal {
    /** It is in no pool any more; its leases end by themselves. */
    REMOVED,
    /** A file or a fetched list has it: it is removed there. */
    CONFIGURED,
    /** No pool has it. */
    UNKNOWN
}
