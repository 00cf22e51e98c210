package io.paceline.service.api;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The language that a browser in a country most likely asks for: of several official ones that with most speakers. */
final class Languages {
    /** Language, then its countries (ISO 639, ISO 3166). */
    private static final String TABLE = """
            en US GB IE AU NZ CA ZA NG GH KE UG JM TT SG PH MT ZW ZM BW NA
            de DE AT CH LI
            fr FR LU MC SN CI CM CD MG ML BF NE TG BJ GA
            nl NL BE SR
            es ES MX AR CO CL PE VE EC BO UY PY CR PA GT HN SV NI DO CU PR
            pt PT BR AO MZ CV
            it IT SM
            pl PL
            cs CZ
            sk SK
            hu HU
            ro RO MD
            bg BG
            el GR CY
            sv SE
            nb NO
            da DK
            fi FI
            et EE
            lv LV
            lt LT
            is IS
            sl SI
            hr HR
            sr RS ME
            bs BA
            mk MK
            sq AL XK
            ru RU BY
            kk KZ
            ky KG
            uk UA
            ka GE
            hy AM
            az AZ
            tr TR
            he IL
            ar SA AE EG MA DZ TN LY IQ JO LB KW QA BH OM YE SY SD
            fa IR
            ur PK
            hi IN
            bn BD
            si LK
            ne NP
            th TH
            vi VN
            id ID
            ms MY BN
            km KH
            lo LA
            my MM
            zh CN TW HK MO
            ja JP
            ko KR
            mn MN
            uz UZ
            tg TJ
            tk TM
            am ET
            sw TZ
            """;

    private static final Map<String, String> BY_COUNTRY = new HashMap<>();

    static {
        TABLE.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                BY_COUNTRY.put(words[i], words[0]);
            }
        });
    }

    private Languages() {}

    /** A value of {@code Accept-Language} such as {@code de-AT,de;q=0.9,en;q=0.8}; null where the country is not known. */
    static @Nullable String acceptedIn(String country) {
        String upper = country.toUpperCase(Locale.ROOT);
        String language = BY_COUNTRY.get(upper);
        if (language == null) {
            return null;
        }
        String own = language + '-' + upper + ',' + language + ";q=0.9";
        return language.equals("en") ? own : own + ",en;q=0.8";
    }
}
