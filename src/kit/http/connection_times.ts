/** How long connections to the HTTP server may take, in milliseconds. */

/**
 * The time for the headers of a request; on a new connection of HTTP/2, for the first request to
 * come.
 */
const HEADERS_MS = 10_000
const CHECK_MS = 2_000
/** The rate of body_pace.ts ends slow bodies long before; an upload of 128 MiB needs 45 KiB/s. */
export const REQUEST_MS = 50 * 60 * 1000
/** A connection without a request under way. */
const IDLE_MS = 72_000

/** The times of Node's server of HTTP/1.1. */
export const HTTP1_TIMES = {
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: CHECK_MS,
  requestTimeout: REQUEST_MS,
  keepAliveTimeout: IDLE_MS,
}

/** The times of sessions of HTTP/2, which Node does not bound by requests. */
export const HTTP2_TIMES = { headers: HEADERS_MS, idle: IDLE_MS }
