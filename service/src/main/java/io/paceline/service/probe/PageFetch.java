package io.paceline.service.probe;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.paceline.Endpoint;
import io.paceline.Outcome;
import io.paceline.Outcome.Kind;
import io.paceline.PageFetcher.Page;
import io.paceline.Ticker;
import io.paceline.pace.TargetUrl;
import io.paceline.pace.hint.FieldValues;
import io.paceline.pace.hint.Hint;
import io.paceline.pace.hint.Hints;
import io.paceline.pace.robots.Robots;
import io.paceline.pace.robots.RobotsSource.Reply;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One GET of one page, and as much of its body as a robots.txt may have. */
final class PageFetch extends Fetch<Page> {
    private static final int MOST = Robots.MAX_OCTETS + 1;

    private final Ticker ticker;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable HttpResponse head;
    private long micros;

    PageFetch(Endpoint via, TargetUrl url, String agent, SslContext tls, Ticker ticker) {
        super(via, url, agent, tls);
        this.ticker = ticker;
    }

    @Override
    Page silent(String why) {
        // Without an address between, it is the site that cannot be reached.
        return new Page(Outcome.of(via.isDirect() ? Kind.TARGET_ERROR : Kind.CONNECT_ERROR), null, why);
    }

    @Override
    Page late() {
        return new Page(Outcome.of(Kind.TIMEOUT), null, "timed out");
    }

    @Override
    Page credentialsRefused() {
        return new Page(new Outcome(Kind.PROXY_ERROR, -1, 407, -1, true), null, "its proxy refuses our credentials");
    }

    @Override
    void answered(HttpResponse answer, long asked) {
        if (refusesCredentials(answer)) {
            end(credentialsRefused());
        } else if (isProxys(answer)) {
            String why = "its proxy answered " + answer.status().code();
            end(new Page(Outcome.of(Kind.PROXY_ERROR), null, why));
        } else {
            head = answer;
            micros = asked;
        }
    }

    @Override
    void body(HttpContent part) {
        int wanted = Math.min(part.content().readableBytes(), MOST - body.size());
        byte[] octets = new byte[wanted];
        part.content().readBytes(octets);
        body.writeBytes(octets);
        HttpResponse answer = head;
        if (answer != null && (part instanceof LastHttpContent || body.size() == MOST)) {
            end(page(answer));
        }
    }

    private Page page(HttpResponse answer) {
        int status = answer.status().code();
        List<Map.Entry<String, String>> entries = answer.headers().entries();
        FieldValues fields = FieldValues.of(entries);
        Hint hint = Hints.read(status, fields, ticker.micros());
        Outcome outcome = new Outcome(kind(status, hint), micros, status, body.size(), false, hint);
        return new Page(outcome, new Reply(status, fields, body.toByteArray()), "");
    }

    /** That there is no such page says nothing against the address. */
    private static Kind kind(int status, Hint hint) {
        if (status == 429 || (status == 503 && hint.knownWaitMicros() > 0)) {
            return Kind.RATE_LIMITED;
        }
        if (status >= 500) {
            return Kind.TARGET_ERROR;
        }
        return status < 400 ? Kind.SUCCESS : Kind.NEUTRAL;
    }
}
