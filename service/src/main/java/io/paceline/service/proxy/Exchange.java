package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;

/** One request of a client, from its head to the end of its answer. Called on the client's event loop. */
interface Exchange {

    void start();

    /** Whether the next piece of the request's body can be taken now; asked before each one. */
    boolean takesBody();

    /** A piece of the request's body, which the exchange must release. */
    void requestData(ByteBuf piece);

    /** The request's body is complete. */
    void requestEnd(Fields trailers);

    /** All that one read brought has been given: time to flush. */
    void requestReadComplete();

    /** Whether the client has been sent any octet of its final answer. */
    boolean answerBegun();

    /** The client takes octets again. */
    void clientWritable();

    /** The client has gone, or broke HTTP in the request's body: everything behind it is let go. */
    void clientGone();
}
