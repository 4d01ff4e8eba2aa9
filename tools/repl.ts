/**
 * A prompt on the sandbox's database, with a Context of its demo tenant: npm run repl. In it `ctx`
 * is that Context, `db` the query builder, `tenant` the demo tenant and `load(path)` imports a
 * module of src, for example `await load('issuing/cards/cards.ts')`. Takes the settings of
 * `npm start`, and starts the embedded database of DATA_DIR where no DATABASE_URL is set.
 */

import { start } from 'node:repl'
import { openDatabase } from '#kit/db/database.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { openKeyring } from '#kit/keys/keyring.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { readConfig } from '#src/config/config.ts'
import { keyWrapperOf } from '#src/config/key_wrapper.ts'
import { explain } from '#src/program/explain.ts'
import { refuseOtherRecordedMode } from '#src/program/mode.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { databaseOf } from './database_of.ts'

const CONNECTIONS = 2

await main().catch((error: unknown) => {
  for (const line of explain(error)) console.error(`no prompt: ${line}`)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (config.mode !== 'sandbox') throw new Error('the prompt is for a sandbox only')
  const tenant = readSandbox(sandboxPath(config.data_dir))?.tenant
  if (!tenant) throw new Error('there is no demo tenant yet: run npm start once')
  const { url, stop } = await databaseOf(config)
  const { db, pool, close } = openDatabase(url, CONNECTIONS, { role: config.database_role })
  await refuseOtherRecordedMode(pool, config.mode)
  const keys = await openKeyring(db, keyWrapperOf(config), new Date())
  const services = {
    ...{ db, keys, profile: PROFILES[config.mode] },
    notify: () => {},
    runDueJobs: async () => [],
    react: async () => {},
  }
  const ctx = await tenantContext(services, tenant.id, { kind: 'system', id: 'repl' })
  const prompt = start('bezant> ')
  const load = (path: string) => import(new URL(`../src/${path}`, import.meta.url).href)
  Object.assign(prompt.context, { ctx, db, tenant, load })
  prompt.on('exit', async () => {
    await close()
    await stop()
  })
}
