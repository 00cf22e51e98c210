package io.paceline.service.config;

/**
 * What the readers of one file share.
 *
 * @param file as the user wrote it
 */
record Source(String file, Problems problems, Expansion expansion) {}
