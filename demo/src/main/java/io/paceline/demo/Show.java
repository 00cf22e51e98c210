package io.paceline.demo;

import java.io.IOException;

/** Something that the demo can show: it tells how far it is while it runs, and its result at the end. */
interface Show {

    /**
     * Runs it.
     *
     * @return what is to be printed on standard output
     * @throws IOException where the machine lacks something, with a message for the user
     * @throws InterruptedException where the thread was asked to stop; everything is closed then
     */
    String run() throws IOException, InterruptedException;
}
