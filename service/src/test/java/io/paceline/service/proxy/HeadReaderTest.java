package io.paceline.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeadReaderTest {
    private final HeadReader reader = new HeadReader(ProxySettings.Heads.defaults());

    private static ByteBuf octets(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aHeadIsTheSameHoweverSlowlyItComes() throws BadMessageException {
        String text = "\r\nGET http://a.example/x HTTP/1.1\r\nHost: a.example\r\nX:  y \t\r\nEmpty:\r\n\r\nrest";
        ByteBuf in = Unpooled.buffer();
        RequestHead head = null;
        int at = 0;
        while (head == null) {
            in.writeByte(text.charAt(at++));
            head = reader.request(in);
        }
        assertThat(at).isEqualTo(text.length() - "rest".length());
        assertThat(head.method()).isEqualTo("GET");
        assertThat(head.target()).isEqualTo("http://a.example/x");
        assertThat(head.fields().first("x")).isEqualTo("y");
        assertThat(head.fields().first("empty")).isEmpty();
        assertThat(head.keepAlive()).isTrue();
        assertThat(reader.isWithin()).isFalse();
    }

    @Test
    void anAnswerIsReadLoosely() throws BadMessageException {
        ResponseHead head = Objects.requireNonNull(
                reader.response(octets("HTTP/1.1 200\nA : 1\nno field at all\nFolded: a\r\n  b\r\nB: 2\r\n\r\n")));
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.reason()).isEmpty();
        assertThat(head.fields().first("a")).isEqualTo("1");
        assertThat(head.fields().first("folded")).matches("a +b");
        assertThat(head.fields().first("b")).isEqualTo("2");
        assertThat(head.fields().size()).isEqualTo(3);
    }

    /** Chunks cut at every place, with a seed that is printed where it fails. */
    @Test
    void aChunkedBodyIsTheSameHoweverItIsCut() throws BadMessageException {
        String wire = "5\r\nhello\r\n00a;x=\"y\"\r\n0123456789\r\n0\r\nSum: 1\r\n\r\nnext";
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            BodyDecoder decoder = new BodyDecoder(Framing.CHUNKED, false, ProxySettings.Heads.defaults());
            StringBuilder body = new StringBuilder();
            List<Fields> ends = new ArrayList<>();
            BodyDecoder.Sink sink = new BodyDecoder.Sink() {
                @Override
                public void data(ByteBuf piece) {
                    body.append(piece.toString(StandardCharsets.ISO_8859_1));
                    piece.release();
                }

                @Override
                public void end(Fields trailers) {
                    ends.add(trailers);
                }
            };
            ByteBuf in = Unpooled.buffer();
            for (int at = 0; at < wire.length(); ) {
                int next = Math.min(wire.length(), at + 1 + random.nextInt(6));
                in.writeBytes(wire.substring(at, next).getBytes(StandardCharsets.ISO_8859_1));
                decoder.decode(in, sink);
                at = next;
            }
            assertThat(body).as("seed %s", seed).hasToString("hello0123456789");
            assertThat(ends).hasSize(1);
            assertThat(ends.get(0).first("sum")).isEqualTo("1");
            assertThat(in.toString(StandardCharsets.ISO_8859_1)).isEqualTo("next");
        }
    }
}
