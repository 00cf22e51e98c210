package io.paceline.demo;

import java.util.Optional;

/** What goes wrong in the middle of a crawl, and by what Paceline's decision log shows that it was found out. */
enum Trouble {
    /** Only one of the sites. */
    INCIDENT(
            "incident",
            "one site answers 503 or nothing to everybody for a while",
            "site " + Stage.SICK_SITE + " answers 503 or nothing, to everybody",
            1),
    /** Whatever is tried. */
    OWN_OUTAGE(
            "own-outage",
            "our own uplink fails: no proxy can be reached, and no control URL either",
            "our own uplink is down: no proxy and no control URL can be reached",
            1),
    /** First one, then both. */
    CONTROL_URL_DEAD(
            "control-url-dead",
            "the pages that test addresses die, first one, then both",
            "control URL " + Stage.CONTROL_HOSTS.get(0) + " drops every connection",
            2),
    /** All its addresses. */
    PROVIDER_DOWN(
            "provider-down",
            "all addresses of one of three providers drop every connection",
            "every address of provider " + Stage.LOST_PROVIDER + " drops every connection",
            1);

    private final String word;
    private final String sentence;
    private final String beginning;
    private final int verdicts;

    Trouble(String word, String sentence, String beginning, int verdicts) {
        this.word = word;
        this.sentence = sentence;
        this.beginning = beginning;
        this.verdicts = verdicts;
    }

    static Optional<Trouble> named(String word) {
        for (Trouble trouble : values()) {
            if (trouble.word.equals(word)) {
                return Optional.of(trouble);
            }
        }
        return Optional.empty();
    }

    /** Of the command line. */
    String word() {
        return word;
    }

    /** What it is. */
    String sentence() {
        return sentence;
    }

    /** What is said when it begins. */
    String beginning() {
        return beginning;
    }

    /** So many have to be named until it is found out. */
    int verdicts() {
        return verdicts;
    }

    void begin(Stage stage) {
        switch (this) {
            case INCIDENT -> stage.sickSite(true);
            case OWN_OUTAGE -> stage.uplinkDown(true);
            case CONTROL_URL_DEAD -> stage.controlGone(0, true);
            case PROVIDER_DOWN -> stage.providerDown(true);
        }
    }

    /** Its second half; says what it is, and is empty where there is none. */
    String worsen(Stage stage) {
        if (this != CONTROL_URL_DEAD) {
            return "";
        }
        stage.controlGone(1, true);
        return "control URL " + Stage.CONTROL_HOSTS.get(1) + " drops every connection too";
    }

    void end(Stage stage) {
        switch (this) {
            case INCIDENT -> stage.sickSite(false);
            case OWN_OUTAGE -> stage.uplinkDown(false);
            case CONTROL_URL_DEAD -> {
                stage.controlGone(0, false);
                stage.controlGone(1, false);
            }
            case PROVIDER_DOWN -> stage.providerDown(false);
        }
    }

    /** Whether this is a name of the guilty, as the decision log writes it. */
    boolean names(LogEntry entry) {
        return switch (this) {
            case INCIDENT -> entry.guilty().equals("target") && entry.name().contains(Stage.SICK_SITE);
            case OWN_OUTAGE -> entry.guilty().equals("own_side");
            case CONTROL_URL_DEAD -> entry.isControlUrl();
            case PROVIDER_DOWN ->
                entry.guilty().equals("tag") && entry.name().equals("provider=" + Stage.LOST_PROVIDER);
        };
    }

    /** Whether a control URL that is called dead is a consequence, and no mistake. */
    boolean takesControlUrls() {
        return this == OWN_OUTAGE || this == CONTROL_URL_DEAD;
    }

    /** Whether an address of that provider may rightly be put out. */
    boolean strikes(String provider) {
        return this == PROVIDER_DOWN && provider.equals(Stage.LOST_PROVIDER);
    }
}
