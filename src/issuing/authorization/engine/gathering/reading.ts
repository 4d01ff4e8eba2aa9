import type { Context, Tx } from '#kit/context.ts'

/** Where statements run, and whether they take the locks of what they read. */
export type Reading =
  | { ctx: Context; locking: false }
  /** What another session has locked is left out. */
  | { ctx: Tx; locking: true }
