package io.paceline.demo;

/**
 * One page to get.
 *
 * @param number unlike any other of the workload
 * @param site its place in the scenario's list
 * @param path begins with a slash
 */
record Page(int number, int site, String path) {}
