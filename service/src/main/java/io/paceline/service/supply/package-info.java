/** Addresses that are in no file: lists that are fetched, what operators add, what providers are asked for. */
@NullMarked
package io.paceline.service.supply;

import org.jspecify.annotations.NullMarked;
