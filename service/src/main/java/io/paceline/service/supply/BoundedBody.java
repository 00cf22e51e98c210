package io.paceline.service.supply;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A body in memory, up to a bound past which nothing more is read. */
final class BoundedBody implements BodySubscriber<byte[]> {

    /** The body goes past the bound. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong(int maxOctets) {
            super("more than " + maxOctets + " octets");
        }
    }

    private final int maxOctets;
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int maxOctets) {
        this.maxOctets = maxOctets;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription source) {
        subscription = source;
        source.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (body.isDone()) {
                return;
            }
            if (octets.size() + part.remaining() > maxOctets) {
                body.completeExceptionally(new TooLong(maxOctets));
                Flow.Subscription source = subscription;
                if (source != null) {
                    source.cancel();
                }
                return;
            }
            byte[] piece = new byte[part.remaining()];
            part.get(piece);
            octets.writeBytes(piece);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(octets.toByteArray());
    }
}
