package io.paceline.service.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks the operating system, on a few threads of its own: {@code /etc/hosts} and the machine's own rules hold, and the
 * JDK keeps answers for a short while.
 */
public final class SystemResolver implements NameResolver, AutoCloseable {
    /** Look-ups at once; each holds a thread for as long as the name server takes. */
    private static final int THREADS = 8;

    /** Look-ups that may queue behind them; more fail at once instead of piling up. */
    private static final int QUEUE = 1_024;

    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), task -> {
                Thread thread = new Thread(task, "paceline-resolver");
                thread.setDaemon(true);
                return thread;
            });

    public SystemResolver() {
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    answer.complete(List.of(InetAddress.getAllByName(host)));
                } catch (UnknownHostException | RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new UnknownHostException("too many look-ups at once"));
        }
        return answer;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
