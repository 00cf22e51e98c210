package io.paceline.sim.scaler;

import io.paceline.scale.ScalerSettings;

/** One queue with its fleet: settings, the tasks to come, the world around it, and how many workers stand there at first. */
record CrewSpec(ScalerSettings settings, Workload workload, Conditions conditions, int workersAtStart) {}
