package io.paceline.service.probe;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.ssl.SslContext;
import io.paceline.Endpoint;
import io.paceline.health.ControlAnswer;
import io.paceline.pace.TargetUrl;
import io.paceline.service.metrics.BuildInfo;

/**
 * One GET of one control URL, up to the head of its answer:
 *
 * <pre>
 *   2xx                                                         passed
 *   407; 401 to CONNECT                                         credentials refused
 *   to CONNECT anything else, 502 and 504 through a proxy,
 *   an error page of squid's or tinyproxy's own                 silent: the proxy says that it got nothing
 *   any other status                                            answered
 *   no connection, TLS that does not verify, broken, too late   silent
 * </pre>
 */
final class ControlFetch extends Fetch<ControlAnswer> {
    ControlFetch(Endpoint via, TargetUrl url, SslContext tls) {
        super(via, url, "paceline/" + BuildInfo.version(), tls);
    }

    @Override
    ControlAnswer silent(String why) {
        return ControlAnswer.silent(why);
    }

    @Override
    ControlAnswer credentialsRefused() {
        return ControlAnswer.credentialsRefused();
    }

    @Override
    void answered(HttpResponse head, long micros) {
        end(judged(head, micros));
    }

    private ControlAnswer judged(HttpResponse head, long micros) {
        int status = head.status().code();
        if (status < 300) {
            return ControlAnswer.passed(status, micros);
        }
        if (refusesCredentials(head)) {
            return ControlAnswer.credentialsRefused();
        }
        return isProxys(head)
                ? ControlAnswer.silent("its proxy answered " + status)
                : ControlAnswer.answered(status, micros);
    }
}
