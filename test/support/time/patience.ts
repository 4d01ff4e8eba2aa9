/**
 * How long a test waits for what must come, in milliseconds: a guard against waiting for ever, and
 * no promise of the program. A machine with other work has come nowhere near it.
 */
export const PATIENCE_MS = 120_000
