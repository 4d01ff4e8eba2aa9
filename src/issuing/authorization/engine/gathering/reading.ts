import type { Context, Tx } from '#kit/context.ts'

/** The context of statements, and whether they lock the rows that they read. */
export type Reading =
  | { ctx: Context; locking: false }
  /** Rows that another session has locked are left out. */
  | { ctx: Tx; locking: true }
