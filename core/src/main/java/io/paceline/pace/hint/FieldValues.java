package io.paceline.pace.hint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fields of a response's head: all values of a name, which is given in lower case, in the order in which they came. */
@FunctionalInterface
public interface FieldValues {
    /** A head without fields. */
    FieldValues NONE = name -> List.of();

    List<String> all(String lowerName);

    /** Fields as name and value, whatever the case of the names. */
    static FieldValues of(List<Map.Entry<String, String>> fields) {
        return name -> {
            List<String> values = new ArrayList<>(1);
            for (Map.Entry<String, String> field : fields) {
                if (field.getKey().toLowerCase(Locale.ROOT).equals(name)) {
                    values.add(field.getValue());
                }
            }
            return values;
        };
    }
}
