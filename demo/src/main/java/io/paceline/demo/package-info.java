/** Upstream proxies and sites on loopback that misbehave as real ones do, and a crawl of them: naively, and through Paceline. */
@NullMarked
package io.paceline.demo;

import org.jspecify.annotations.NullMarked;
