package io.paceline.store;

import io.paceline.testkit.VirtualTime;
import java.time.Duration;

class MemoryStoreTest extends StateStoreContract {
    private final VirtualTime time = new VirtualTime();

    @Override
    protected StateStore emptyStore() {
        return new MemoryStore(time);
    }

    @Override
    protected void pass(Duration by) {
        time.advance(by);
    }
}
