/**
 * `repl`: a prompt on the sandbox's database, with a Context of its demo tenant. In it `ctx` is
 * that Context, `db` the query builder, `tenant` the demo tenant and `load(path)` imports a module
 * of src, for example `await load('issuing/cards/cards.ts')`. It takes the settings of
 * `bezant start`, and starts the embedded database of DATA_DIR where no DATABASE_URL is set.
 */

import { start } from 'node:repl'
import { Command } from 'commander'
import { softwareCustody } from '#issuing/vault/vault.ts'
import { openDatabase } from '#kit/db/database.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { openKeyring } from '#kit/keys/keyring.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { readConfig } from '#src/config/config.ts'
import { keyWrapperOf } from '#src/config/key_wrapper.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT } from '../kit/faults.ts'
import { exitWith, surroundings } from './command.ts'
import { databaseOf } from './database_of.ts'

const CONNECTIONS = 2

export function command(): Command {
  const command = new Command('repl')
    .description('A prompt with a Context of the demo tenant; no server may use its database.')
    .action(() => exitWith({ failed: 'no prompt' }, prompt))
  return withExamples(command, ['repl'])
}

async function prompt(): Promise<number> {
  const config = readConfig(surroundings())
  if (config.mode !== 'sandbox') throw new Error('the prompt is for a sandbox only')
  const tenant = readSandbox(sandboxPath(config.data_dir))?.tenant
  if (!tenant) throw new Error('there is no demo tenant yet: run npm start once')
  const { url, stop } = await databaseOf(config)
  const { db, pool, close } = openDatabase(url, CONNECTIONS, { role: config.database_role })
  await refuseOtherRecordedMode(pool, config.mode)
  const keys = await openKeyring(db, keyWrapperOf(config), new Date())
  const services = {
    db,
    keys,
    custody: softwareCustody,
    profile: PROFILES[config.mode],
    notify: () => {},
    runDueJobs: async () => [],
    react: async () => {},
  }
  const ctx = await tenantContext(services, tenant.id, { kind: 'system', id: 'repl' })
  const opened = start('bezant> ')
  const load = (path: string) => import(new URL(`../../../src/${path}`, import.meta.url).href)
  Object.assign(opened.context, { ctx, db, tenant, load })
  opened.on('exit', async () => {
    await close()
    await stop()
  })
  return EXIT.done
}
