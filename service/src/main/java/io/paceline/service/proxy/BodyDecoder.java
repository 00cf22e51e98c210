package io.paceline.service.proxy;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Takes a body out of its framing, piece by piece as it arrives: nothing is gathered but the few octets of a chunk's size
 * line and the trailer section.
 */
final class BodyDecoder {
    /** A chunk's size with its extensions, which mean nothing to us and are left out. */
    private static final int MAX_SIZE_LINE = 256;

    /** 16^15 octets: one digit more might not fit into a long. */
    private static final int MAX_HEX_DIGITS = 15;

    /** Where the body goes. */
    interface Sink {
        /** A piece of the body, which the sink must release. */
        void data(ByteBuf piece);

        /** The body is complete. */
        void end(Fields trailers);
    }

    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        DONE
    }

    private final Framing.Kind kind;
    private final boolean lenient;
    private final @Nullable HeadReader trailerReader;
    private State state;
    private long left;

    /** @param lenient for answers: a chunk's line may end in LF alone or have spaces at its end */
    BodyDecoder(Framing framing, boolean lenient, ProxySettings.Heads limits) {
        this.kind = framing.kind();
        this.lenient = lenient;
        this.trailerReader = kind == Framing.Kind.CHUNKED ? new HeadReader(limits) : null;
        this.left = framing.length();
        this.state = kind == Framing.Kind.CHUNKED ? State.SIZE : State.DATA;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** Takes what has come; stops when the body is complete, or needs more. */
    void decode(ByteBuf in, Sink sink) throws BadMessageException {
        if (state == State.DONE) {
            return;
        }
        switch (kind) {
            case NONE -> finish(sink, Fields.EMPTY);
            case LENGTH -> {
                takeData(in, sink);
                if (left == 0) {
                    finish(sink, Fields.EMPTY);
                }
            }
            case UNTIL_CLOSE -> {
                left = Long.MAX_VALUE;
                takeData(in, sink);
            }
            case CHUNKED -> decodeChunks(in, sink);
        }
    }

    /** The peer has closed; false where that cuts the body off. */
    boolean inputClosed(Sink sink) {
        if (state != State.DONE && kind == Framing.Kind.UNTIL_CLOSE) {
            finish(sink, Fields.EMPTY);
        }
        return state == State.DONE;
    }

    private void decodeChunks(ByteBuf in, Sink sink) throws BadMessageException {
        boolean more = true;
        while (more) {
            more = switch (state) {
                case SIZE -> takeSize(in);
                case DATA -> {
                    takeData(in, sink);
                    state = left == 0 ? State.DATA_END : State.DATA;
                    yield left == 0;
                }
                case DATA_END -> takeDataEnd(in);
                case TRAILERS -> takeTrailers(in, sink);
                case DONE -> false;
            };
        }
    }

    private void takeData(ByteBuf in, Sink sink) {
        int count = (int) Math.min(left, in.readableBytes());
        if (count > 0) {
            left -= count;
            sink.data(in.readRetainedSlice(count));
        }
    }

    private boolean takeSize(ByteBuf in) throws BadMessageException {
        int start = in.readerIndex();
        int lf = in.indexOf(start, Math.min(in.writerIndex(), start + MAX_SIZE_LINE), (byte) '\n');
        if (lf < 0) {
            if (in.readableBytes() >= MAX_SIZE_LINE) {
                throw BadMessageException.malformed("A chunk's size line is too long.");
            }
            return false;
        }
        int end = lf > start && in.getByte(lf - 1) == '\r' ? lf - 1 : lf;
        if (end == lf && !lenient) {
            throw BadMessageException.malformed("A chunk's size line ends in LF alone.");
        }
        left = parseSize(in, start, end);
        in.readerIndex(lf + 1);
        state = left == 0 ? State.TRAILERS : State.DATA;
        return true;
    }

    private long parseSize(ByteBuf in, int start, int end) throws BadMessageException {
        long size = 0;
        int at = start;
        for (; at < end; at++) {
            int digit = Character.digit((char) in.getByte(at), 16);
            if (digit < 0) {
                break;
            }
            size = size << 4 | digit;
        }
        if (at == start || at - start > MAX_HEX_DIGITS || !isExtension(in, at, end)) {
            throw BadMessageException.malformed("A chunk's size is not a hexadecimal number.");
        }
        return size;
    }

    /** Nothing, or spaces and a semicolon with anything printable behind it. */
    private boolean isExtension(ByteBuf in, int start, int end) {
        int at = start;
        while (at < end && (in.getByte(at) == ' ' || in.getByte(at) == '\t')) {
            at++;
        }
        if (at == end) {
            return at == start || lenient;
        }
        if (in.getByte(at) != ';') {
            return false;
        }
        for (; at < end; at++) {
            byte c = in.getByte(at);
            if ((c >= 0 && c < ' ' && c != '\t') || c == 127) {
                return false;
            }
        }
        return true;
    }

    private boolean takeDataEnd(ByteBuf in) throws BadMessageException {
        if (!in.isReadable()) {
            return false;
        }
        int at = in.readerIndex();
        if (lenient && in.getByte(at) == '\n') {
            in.skipBytes(1);
        } else if (in.getByte(at) != '\r' || (in.readableBytes() > 1 && in.getByte(at + 1) != '\n')) {
            throw BadMessageException.malformed("A chunk is longer than its size says.");
        } else if (in.readableBytes() < 2) {
            return false;
        } else {
            in.skipBytes(2);
        }
        state = State.SIZE;
        return true;
    }

    private boolean takeTrailers(ByteBuf in, Sink sink) throws BadMessageException {
        HeadReader reader = trailerReader;
        Fields trailers = reader == null ? Fields.EMPTY : reader.trailers(in, lenient);
        if (trailers == null) {
            return false;
        }
        finish(sink, trailers);
        return false;
    }

    private void finish(Sink sink, Fields trailers) {
        state = State.DONE;
        sink.end(trailers);
    }
}
