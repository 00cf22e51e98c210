package io.paceline.service.reload;

import io.paceline.service.supply.ListState;
import io.paceline.service.supply.SupplyState;
import java.util.List;

/** Everything about the configuration in force that people ask for. Immutable. */
public record ConfigStatus(ConfigState state, List<ListState> lists, List<SupplyState> supplies) {
    public ConfigStatus {
        lists = List.copyOf(lists);
        supplies = List.copyOf(supplies);
    }
}
