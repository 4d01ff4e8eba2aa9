/** From a configuration to a running program, and back: what was opened last is closed first. */

import type pg from 'pg'
import { openDatabase } from '#kit/database.ts'
import { startEmbedded } from '#kit/embedded.ts'
import { masterKeyWrapper, openKeyring } from '#kit/keyring.ts'
import type { Log } from '#kit/log.ts'
import { assertClock, assertDurable, clockSkew, MIGRATIONS, migrate } from '#kit/migrations.ts'
import { seedLive } from '#sandbox/seed/operator.ts'
import { seedSandbox, writeSandbox } from '#sandbox/seed.ts'
import { type Config, masterKey } from './config.ts'
import { assemble } from './program.ts'

/** Twice what the engine and the sweeps use at once; the rest is for requests. */
const CONNECTIONS = 20
const CLOCK_CHECK_MS = 60_000
const LARGEST_SKEW_MS = 60_000
/** What takes longer is told while it happens. */
const PATIENCE_MS = 2_000

export type Tell = (line: string) => void
export type Running = { config: Config; notes: string[]; stop: () => Promise<void> }

/**
 * Starts the program. Whatever fails is thrown after all that was opened is closed again; `tell`
 * hears, a line at a time, what takes long. `stop` finishes what was begun.
 */
export async function start(config: Config, log: Log, tell: Tell): Promise<Running> {
  const opened: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  try {
    return { ...(await open(config, log, tell, opened)), stop }
  } catch (error) {
    await stop().catch((failure: unknown) => log.error({ err: failure }, 'closing failed too'))
    throw error
  }
}
