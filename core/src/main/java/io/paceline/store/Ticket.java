package io.paceline.store;

import io.paceline.pace.Charge;
import java.util.List;

/** A slot in time that is reserved and paid for; the marks are what {@link Limit#take} returned for each charge. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Ticket(List<Charge> charges, long[] marks, Charge binding, long atMicros, long useByMicros) {}
