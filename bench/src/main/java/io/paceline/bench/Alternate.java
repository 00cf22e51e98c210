package io.paceline.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmarks in turn, one fresh JVM a round each, and prints medians and their ratio to the first: on a shared
 * machine a quiet minute must not fall to one side alone.
 *
 * <pre>{@code Alternate rounds=5 seconds=2 threads=1 addresses=10000 heap=2g PermitBench.paceline PermitBench.naive}</pre>
 */
public final class Alternate {
    private Alternate() {}

    /** Operations a second, and for each second of processor time. */
    private record Score(double wall, double cpu) {}

    public static void main(String[] args) throws RunnerException {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> benchmarks = new ArrayList<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 0) {
                benchmarks.add(arg);
            } else {
                options.put(arg.substring(0, equals), arg.substring(equals + 1));
            }
        }
        print(measure(benchmarks, options));
    }

    private static Map<String, List<Score>> measure(List<String> benchmarks, Map<String, String> options)
            throws RunnerException {
        Map<String, List<Score>> scores = new LinkedHashMap<>();
        int rounds = Integer.parseInt(options.getOrDefault("rounds", "3"));
        for (int round = 0; round < rounds; round++) {
            for (String benchmark : benchmarks) {
                scores.computeIfAbsent(benchmark, name -> new ArrayList<>()).add(score(benchmark, options));
            }
        }
        return scores;
    }

    private static Score score(String benchmark, Map<String, String> options) throws RunnerException {
        long seconds = Long.parseLong(options.getOrDefault("seconds", "2"));
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("\\." + benchmark.replace(".", "\\.") + "$")
                .forks(1)
                .threads(Integer.parseInt(options.getOrDefault("threads", "1")))
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(seconds))
                .measurementIterations(3)
                .measurementTime(TimeValue.seconds(seconds))
                .jvmArgs("-Xms" + heap(options), "-Xmx" + heap(options), "-XX:+UseParallelGC")
                .verbosity(VerboseMode.valueOf(
                        options.getOrDefault("verbose", "silent").toUpperCase(Locale.ROOT)))
                .shouldFailOnError(true);
        if (options.containsKey("addresses")) {
            builder.param("addresses", options.get("addresses"));
        }
        if (options.containsKey("waiting")) {
            builder.param("waiting", options.get("waiting"));
        }
        if (options.containsKey("profiler")) {
            builder.addProfiler(options.get("profiler"));
        }
        if (options.containsKey("jvm")) {
            builder.jvmArgsAppend(options.get("jvm"));
        }
        builder.addProfiler(CpuTime.class);
        RunResult result = new Runner(builder.build()).run().iterator().next();
        return new Score(
                result.getPrimaryResult().getScore(),
                requireNonNull(result.getSecondaryResults().get(CpuTime.LABEL)).getScore());
    }

    private static String heap(Map<String, String> options) {
        return options.getOrDefault("heap", "2g");
    }

    private static void print(Map<String, List<Score>> scores) {
        double firstWall = 0;
        double firstCpu = 0;
        for (Map.Entry<String, List<Score>> entry : scores.entrySet()) {
            double wall = median(entry.getValue(), Score::wall);
            double cpu = median(entry.getValue(), Score::cpu);
            firstWall = firstWall == 0 ? wall : firstWall;
            firstCpu = firstCpu == 0 ? cpu : firstCpu;
            System.out.printf(
                    Locale.ROOT,
                    "%-38s %,13.0f/s %9.3f of the first   %,13.0f per cpu-s %9.3f%n",
                    entry.getKey(),
                    wall,
                    wall / firstWall,
                    cpu,
                    cpu / firstCpu);
        }
    }

    private static double median(List<Score> scores, ToDoubleFunction<Score> part) {
        double[] sorted = scores.stream().mapToDouble(part).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
