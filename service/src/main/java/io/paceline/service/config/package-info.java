/** The configuration: YAML read with positions into a tree of records, every fault reported with its remedy. */
@NullMarked
package io.paceline.service.config;

import org.jspecify.annotations.NullMarked;
