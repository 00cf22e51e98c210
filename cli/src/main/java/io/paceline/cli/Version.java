package io.paceline.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version out of the jar's manifest. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "paceline " + (version == null ? "development" : version) + " (Java " + Runtime.version() + ")"
        };
    }
}
