package io.paceline.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class OpenApiTest {

    private final Map<String, Object> document = load();

    @Test
    void the_document_has_every_route_and_nothing_else() {
        List<String> documented = new ArrayList<>();
        object(document, "paths").forEach((path, operations) -> {
            for (Object method : ((Map<?, ?>) operations).keySet()) {
                documented.add(method.toString().toUpperCase(Locale.ROOT) + " " + path);
            }
        });
        List<String> served = routes().stream()
                .map(route -> route.method().name() + " " + route.path())
                .toList();

        assertThat(documented).containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void who_may_call_a_route_is_documented_as_it_is_enforced() {
        for (Route route : routes()) {
            Map<String, Object> operation = operation(route);
            String tag = switch (route.access()) {
                case OPEN -> "open";
                case READ -> "views";
                case OPERATE -> "admin";
                case PERMIT -> "permits";
            };
            assertThat(operation.get("tags")).as(route.path()).isEqualTo(List.of(tag));
            assertThat(operation.containsKey("security")).as(route.path()).isEqualTo(route.access() == Access.OPEN);
            assertThat(object(operation, "responses").containsKey("401"))
                    .as(route.path())
                    .isEqualTo(route.access() != Access.OPEN);
            assertThat(operation.containsKey("requestBody"))
                    .as(route.path())
                    .isEqualTo(route.body() != Route.Body.NONE);
        }
    }

    @Test
    void the_schemas_have_the_fields_that_the_parsers_take() {
        assertThat(properties("AcquireRequest"))
                .containsExactlyInAnyOrderElementsOf(without(AcquireBody.FIELDS, "ticket"));
        assertThat(properties("AddAddresses")).containsExactlyElementsOf(AddBody.FIELDS);
        assertThat(properties("Ban")).containsExactlyElementsOf(OrderBody.BAN_FIELDS);
        assertThat(properties("Unban")).containsExactlyElementsOf(OrderBody.UNBAN_FIELDS);
        assertThat(properties("Order")).containsExactlyElementsOf(OrderBody.OTHER_FIELDS);
        assertThat(properties("Release")).containsExactlyInAnyOrderElementsOf(ReleaseBody.ITEM_FIELDS);
    }

    @Test
    void every_reference_has_its_definition() {
        List<String> references = new ArrayList<>();
        collect(document, references);

        for (String reference : references) {
            Object at = document;
            for (String step : reference.substring(2).split("/")) {
                at = at instanceof Map<?, ?> map ? map.get(step) : null;
            }
            assertThat(at).as(reference).isNotNull();
        }
    }

    private static void collect(Object node, List<String> references) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("$ref")) {
                    references.add((String) value);
                }
                collect(value, references);
            });
        } else if (node instanceof List<?> list) {
            list.forEach(item -> collect(item, references));
        }
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> path = object(object(document, "paths"), route.path());
        return object(path, route.method().equals(HttpMethod.POST) ? "post" : lower(route));
    }

    private static String lower(Route route) {
        return route.method().name().toLowerCase(Locale.ROOT);
    }

    private List<String> properties(String schema) {
        Map<String, Object> schemas = object(object(document, "components"), "schemas");
        return List.copyOf(object(object(schemas, schema), "properties").keySet());
    }

    private static List<String> without(List<String> fields, String field) {
        return fields.stream().filter(name -> !name.equals(field)).collect(Collectors.toList());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Map<String, Object> parent, String key) {
        return (Map<String, Object>) parent.get(key);
    }

    private static List<Route> routes() {
        return ApiServer.routes(TestApi.permitApi(new FakeGatekeeper(), TestApi.settings()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> load() {
        try (InputStream in = Pages.class.getResourceAsStream("openapi.yaml")) {
            return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromInputStream(in);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
