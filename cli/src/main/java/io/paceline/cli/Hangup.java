package io.paceline.cli;

import java.lang.reflect.Proxy;

/**
 * SIGHUP, where the system has it. The JDK's class for signals is the one that every program uses and none is promised, so
 * it is looked up by name: a machine without it does without the signal.
 */
final class Hangup {

    private Hangup() {}

    /** Runs the task at each SIGHUP from now on, on a thread of the machine. */
    static void on(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs = Proxy.newProxyInstance(
                    handler.getClassLoader(),
                    new Class<?>[] {handler},
                    (self, method, args) -> switch (method.getName()) {
                        case "equals" -> args != null && self == args[0];
                        case "hashCode" -> System.identityHashCode(self);
                        case "toString" -> "hangup";
                        default -> {
                            task.run();
                            yield null;
                        }
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), runs);
        } catch (ReflectiveOperationException noSuchSignal) {
            // Windows has none, and under nohup it is the parent that has said what it does.
        }
    }
}
