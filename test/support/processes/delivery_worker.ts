/**
 * A process that only delivers webhooks, to be killed: node delivery_worker.ts, configured by its
 * environment.
 */

import { softwareCustody } from '#issuing/vault/vault.ts'
import { createNumbering } from '#issuing/webhooks/expansion.ts'
import { createWorker } from '#issuing/webhooks/worker.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { createSweeper, type Sweeper } from '#kit/jobs/sweeper.ts'
import { masterKeyWrapper, openKeyring } from '#kit/keys/keyring.ts'
import { createLog } from '#kit/log.ts'
import { createOutgoing } from '#kit/net/fetch.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'

export type WorkerEnv = {
  WORKER_DATABASE: string
  WORKER_KEY: string
  WORKER_TIMEOUT_MS: string
  WORKER_CLAIM_MS: string
}

const env = process.env as NodeJS.ProcessEnv & WorkerEnv
const { db } = openDatabase(env.WORKER_DATABASE, 4, { role: USUAL_ROLE })
const wrapper = masterKeyWrapper(Buffer.from(env.WORKER_KEY, 'hex'))
const services = {
  db,
  keys: await openKeyring(db, wrapper, new Date()),
  custody: softwareCustody,
  profile: PROFILES.sandbox,
  notify: (channel: string, tenant_id?: string) => sweeper.notify(channel, tenant_id),
  runDueJobs: async () => [],
  react: async () => {},
}
const outgoing = createOutgoing({ timeout_ms: Number(env.WORKER_TIMEOUT_MS) })
const sweeper: Sweeper = createSweeper({
  db,
  log: createLog('silent'),
  contextOf: (id) => tenantContext(services, id, { kind: 'system', id: 'sweep' }),
  sweeps: [
    // The process that writes the events of this test numbers none.
    createNumbering(() => true, 1_000),
    createWorker({ outgoing, claim_ms: Number(env.WORKER_CLAIM_MS) }),
  ],
})
sweeper.start()
