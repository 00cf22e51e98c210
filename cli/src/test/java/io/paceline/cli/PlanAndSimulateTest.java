package io.paceline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The calculator and the autoscaler's simulator from the command line. */
class PlanAndSimulateTest {

    private record Ran(int code, String out, String err) {}

    private static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Ran(code, out.toString(), err.toString());
    }

    private static Ran plan(String... more) {
        String[] load = {"plan", "--tasks-per-minute", "100", "--seconds-per-task", "30", "--tasks-per-worker", "10"};
        String[] all = java.util.Arrays.copyOf(load, load.length + more.length);
        System.arraycopy(more, 0, all, load.length, more.length);
        return run(all);
    }

    @Test
    void planAnswersInWordsAndInJson() throws IOException {
        assertThat(plan().out()).contains("5, 50 slots");
        Ran ran = plan("--cost-per-hour", "0.05", "--budget-per-hour", "2.00", "--json");
        assertThat(ran.code()).isZero();
        JsonNode json = new ObjectMapper().readTree(ran.out());
        assertThat(json.get("workers").asInt()).isEqualTo(5);
        assertThat(json.get("slots").asInt()).isEqualTo(50);
        assertThat(json.get("max_affordable_workers").asInt()).isEqualTo(40);
        assertThat(json.get("recommended_workers").asInt()).isEqualTo(6);
    }

    @Test
    void wrongFiguresAreOneLineAndCodeOneWrongWordsCodeTwo() {
        Ran wrong = plan("--slots", "0");
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err().strip()).isEqualTo("slots must be 1 or more, not 0");
        assertThat(plan("--cost-per-hour", "cheap").code()).isEqualTo(2);
        assertThat(run("plan").code()).isEqualTo(2);
    }

    @Test
    void simulateScalerPrintsATableAndJson() throws IOException {
        Ran table = run("simulate", "scaler", "dump", "step", "--seeds", "1", "--policy", "planner,hpa");
        assertThat(table.code()).isZero();
        assertThat(table.out()).contains("dump: ", "worker-h", "planner", "sums over 2 scenarios");
        assertThat(table.err()).contains("scenario 1 of 2: dump");
        Ran json = run("simulate", "scaler", "dump", "--seeds", "2", "--policy", "planner", "--json");
        JsonNode scenario =
                new ObjectMapper().readTree(json.out()).get("scenarios").get(0);
        assertThat(scenario.get("seeds").asInt()).isEqualTo(2);
        JsonNode planner = scenario.get("policies").get(0);
        assertThat(planner.get("policy").asText()).isEqualTo("planner");
        assertThat(planner.get("slo_miss_rate").asDouble()).isZero();
        assertThat(planner.get("recovery_seconds").isNull()).isTrue();
    }

    @Test
    void simulateSaysWhatItKnows() {
        assertThat(run("simulate").err()).contains("write simulate scaler");
        assertThat(run("simulate", "scaler", "--policy", "magic").err()).contains("planner, hpa");
        assertThat(run("simulate", "scaler", "nowhere").err()).contains("unknown scaler scenario", "two-queues");
        assertThat(run("simulate", "scaler", "--seeds", "0").code()).isEqualTo(2);
    }
}
