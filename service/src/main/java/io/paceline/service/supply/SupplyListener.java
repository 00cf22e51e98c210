package io.paceline.service.supply;

/** Is told what becomes of lists that are fetched and of providers that are asked. From one thread at a time. */
public interface SupplyListener {

    /** Other addresses are listed, added or supplied: the pools want to be put together anew. {@code why} is a few words. */
    void changed(String why);

    /** A list was fetched, or not; told of each success, and of a failure only where it is another than the last. */
    void fetched(ListState list);

    /** A provider was asked, or could not be; {@code what} is {@code supplied}, {@code empty}, {@code failed}. */
    void asked(SupplyState supply, String what, String reason, int addresses);
}
