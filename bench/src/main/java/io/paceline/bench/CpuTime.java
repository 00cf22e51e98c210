package io.paceline.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Operations for each second of processor time that the process used, collector and compiler included: what a thread would
 * do on a machine that it need not share. Wall-clock figures of a busy machine say more about its other guests.
 */
public final class CpuTime implements InternalProfiler {
    static final String LABEL = "cpu.ops";

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "operations for each second of processor time";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double seconds = (system.getProcessCpuTime() - before) / 1e9;
        double operations = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LABEL, operations / seconds, "ops/cpu-s", AggregationPolicy.AVG));
    }
}
