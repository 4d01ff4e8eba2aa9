/** Serves one agent, whose program has started this process. */

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { ApiError, ConnectionError, TimeoutError } from '#client/index.ts'
import { outcomeOf } from '../kit/faults.ts'
import { apiPlatformOf } from '../kit/platform.ts'
import { note } from '../kit/print.ts'
import { visible } from '../kit/text.ts'
import { Gate, type Mode } from './gate.ts'
import { readApi } from './operations/operations.ts'
import { serverMaker } from './server.ts'

export type Options = { profile?: string; only?: string; write?: boolean; live?: boolean }

/** Returns when it serves; the process ends with its standard input. */
export async function serve({
  profile,
  only,
  write = false,
  live = false,
}: Options): Promise<void> {
  const platform = apiPlatformOf({ ...(profile !== undefined && { profile }) })
  const gate = new Gate(platform, { live })
  const mode = await firstMode(gate)
  const api = readApi()
  const { make, count } = serverMaker({ api, platform, gate, only, write, mode, live })
  serveStdio(make, { onerror: (error) => note(`bezant mcp: ${visible(error.message)}`) })
  const may = write ? 'reads and writes' : 'read only'
  note(`bezant mcp: ${platform.url} (${mode ?? 'not reached yet'}), ${may}, ${count} tools`)
}

/**
 * An agent's program starts its servers at its own start, perhaps before the platform runs: then
 * each call asks again. Throws if the platform is live, or refuses the key.
 */
async function firstMode(gate: Gate): Promise<Mode | undefined> {
  try {
    return await gate.ask()
  } catch (error) {
    const isAway = error instanceof ConnectionError || error instanceof TimeoutError
    if (!isAway && !(error instanceof ApiError && error.status >= 500)) throw error
    for (const line of outcomeOf(error).lines) note(`bezant mcp: ${line}`)
    return undefined
  }
}
