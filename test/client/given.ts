/** Data between the tests of this folder and the suite, which runs in other processes. */

/** Data in the variable SUITE, as JSON. */
export type SuiteGiven = {
  /** A sandbox that runs. */
  base_url: string
  operator_key: string
  /** The URL of `openLine`. */
  line_url: string
}

/** `fault` is null if the test has passed. */
export type SuiteResult = { name: string; fault: string | null }

export type Reply = { status: number; headers?: Record<string, string>; body?: string }

/**
 * How a line answers one request: with a reply of its own or that of the platform, with the first
 * half of either, by closing the connection, or never.
 */
export type LineAnswer = Reply | 'cut' | 'half' | 'silent' | 'passed' | 'half passed'

/** A request as it has arrived at a line. */
export type LineRequest = {
  method: string
  url: string
  headers: Record<string, string | undefined>
  body: string
}
