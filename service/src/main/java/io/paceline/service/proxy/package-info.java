/** The forward proxy: HTTP/1.x and CONNECT in front, one leased address behind each request. */
@NullMarked
package io.paceline.service.proxy;

import org.jspecify.annotations.NullMarked;
