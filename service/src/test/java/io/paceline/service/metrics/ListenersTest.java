package io.paceline.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.paceline.GateListener;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods of a listener have defaults, so the compiler does not notice one that is not passed on. */
class ListenersTest {

    static Stream<Method> whatIsHeard() {
        return Stream.of(GateListener.class.getMethods()).filter(Method::isDefault);
    }

    @ParameterizedTest
    @MethodSource("whatIsHeard")
    void whatever_happens_is_told_to_each_in_order(Method method) throws Exception {
        assertThat(Listeners.class
                        .getMethod(method.getName(), method.getParameterTypes())
                        .getDeclaringClass())
                .isEqualTo(Listeners.class);
        List<String> heard = new ArrayList<>();
        GateListener both = Listeners.of(named("first", heard), named("second", heard));

        method.invoke(both, nothings(method));

        assertThat(heard).containsExactly("first " + method.getName(), "second " + method.getName());
    }

    private static GateListener named(String name, List<String> heard) {
        return (GateListener) Proxy.newProxyInstance(
                GateListener.class.getClassLoader(),
                new Class<?>[] {GateListener.class},
                (proxy, method, arguments) -> {
                    heard.add(name + " " + method.getName());
                    return method.getReturnType() == boolean.class ? false : null;
                });
    }

    private static @Nullable Object[] nothings(Method method) {
        return Stream.of(method.getParameterTypes()).map(ListenersTest::nothing).toArray();
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == double.class) {
            return 0.0;
        }
        return type == long.class ? (Object) 0L : null;
    }
}
