package io.paceline.scale;

/**
 * From a count to what is done: call drainers back before starting anew, start never past the ceiling.
 *
 * <p>With workers that are still starting counted as present, this is max(0, min(max - running, want) - pending).
 */
record FleetPlan(int undrain, int start, int drain) {

    static final FleetPlan NOTHING = new FleetPlan(0, 0, 0);

    static FleetPlan of(int allowed, int ceiling, FleetView fleet) {
        int missing = allowed - fleet.present();
        if (missing <= 0) {
            return new FleetPlan(0, 0, -missing);
        }
        int undrain = Math.min(missing, fleet.draining());
        int room = Math.max(0, ceiling - fleet.paid());
        return new FleetPlan(undrain, Math.min(missing - undrain, room), 0);
    }
}
