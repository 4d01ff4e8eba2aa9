/** The operator's first key outside the sandbox: written once to a file in DATA_DIR (D-100). */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureOperatorKey } from '#issuing/tenants/tenants.ts'
import { readClock } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { makeFolder, syncFolder } from '#kit/files/folder.ts'
import { NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

const FILE = 'operator.key'

/**
 * Makes the key if the database has none and returns the path of the file with it. The file is on
 * disk before the key is valid, so no valid key is lost.
 */
export async function makeOperatorKey(
  services: Services,
  data_dir: string,
): Promise<string | undefined> {
  const actor = { kind: 'system', id: 'start' } as const
  const ctx: Context = {
    ...services,
    db: services.db.overAllTenants(),
    tenant_id: NO_TENANT,
    now: await readClock(services.db),
    actor,
  }
  return transact(ctx, async (tx) => {
    const key = await ensureOperatorKey(tx)
    if (key === undefined) return undefined
    const path = join(data_dir, FILE)
    keep(data_dir, path, key)
    return path
  })
}

function keep(data_dir: string, path: string, key: string): void {
  makeFolder(data_dir)
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flush: true })
    syncFolder(data_dir)
  } catch (error) {
    throw new StartError(
      `the operator’s key cannot be written to ${path} (${codeOf(error) ?? lineOf(error)}): ` +
        'let this account write to DATA_DIR',
    )
  }
}
