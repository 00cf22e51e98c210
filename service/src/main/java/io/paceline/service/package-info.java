/** The gatekeeper as a process: configuration, core, API and proxy wired together, started and stopped. */
@NullMarked
package io.paceline.service;

import org.jspecify.annotations.NullMarked;
