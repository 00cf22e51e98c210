package io.paceline.service.reload;

import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyState;

/** Is told what becomes of the configuration while the service runs. From one thread; must not block. */
public interface ReloadListener {

    /**
     * The files were read again, or addresses came and went without them.
     *
     * @param why a few words: who asked, or what has changed
     */
    void reloaded(String why, ReloadResult result, ConfigState state);

    /** A list was fetched, or not; told of each success, and of a failure only where it is another than the last. */
    void fetched(ListState list);

    /** A provider was asked for addresses, or could not be; {@code what} is {@code supplied}, {@code failed}, {@code budget}. */
    void asked(SupplyState supply, String what, String reason, int addresses);
}
