package io.paceline.cli;

/** Numbers with their nouns. */
final class Words {

    private Words() {}

    /** {@code 1 address}, {@code 2 addresses}, {@code no bad lines}. */
    static String count(int number, String noun) {
        String plural = noun.endsWith("s") ? noun + "es" : noun + "s";
        return number == 0 ? "no " + plural : number == 1 ? "1 " + noun : number + " " + plural;
    }
}
