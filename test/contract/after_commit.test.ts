/**
 * A committed change is never answered as failed: every operation that writes is called over a
 * connection that is lost, with the whole database, as soon as its first COMMIT is answered.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#kit/db/database.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { callerOf, contentOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { listBaseTables } from '#test/support/inspection/base_tables.ts'
import { keeper } from '#test/support/keeper.ts'
import { NETWORK } from '#test/support/network/networks.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openWorld, requester } from '#test/support/world.ts'

const CONNECTIONS = 4
/** Read only to show that a request was made; not part of its result. */
const BESIDE = ['rate_buckets', 'loose_blobs']

const keep = keeper()
const world = keep(await openWorld())
await liftRateLimit(world.db)
// Port 0 as in the settings: both programs have the same pages, where sessions come from.
keep(await listenForCards(world, 0))
const shared = await createBelongings(world, { orders: true })
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const { db, batches } = keep(openDatabase(proxy.url, CONNECTIONS))
const { services, config, log } = world
const program = assemble({ mode: sandbox, config, db, batches, keys: services.keys, log })
program.bind({ ...config, networks: [NETWORK] })
const ask = requester(program.app, world.tenant.api_key)
before(() => program.app.ready())
keep({ close: () => program.app.close() })

const tables = await listBaseTables(world.db, BESIDE)

/**
 * A count and a checksum of each table, which any change of any row changes; when a row was used
 * last is no part of it.
 */
async function state(): Promise<Map<string, string>> {
  const sums = tables.map(
    (name) => sql`select ${name}::text as name, count(*) as rows,
      sum(hashtextextended((to_jsonb(t) - 'last_used')::text, 0)::numeric) as sum from ${sql.raw(name)} t`,
  )
  const { rows } = await sql<{ name: string; rows: bigint; sum: string }>`
    ${sql.join(sums, sql` union all `)}`.execute(world.db)
  return new Map(rows.map(({ name, rows: count, sum }) => [name, `${count} ${sum}`]))
}

/** Orders have transactions of their own on either side of a message to the issuer. */
const asksIssuer = ({ path }: Operation) => /^\/orders\/|^\/kept-cards\/.+\/payments/.test(path)

const writing = documentsOf(config)
  .flatMap(({ operations }) => operations)
  .filter((operation) => operation.method !== 'GET' && !asksIssuer(operation))

describe('a database that goes away with the answer to the first COMMIT', () => {
  for (const operation of writing) {
    test(`${operation.name} answers what was committed, or commits nothing`, async () => {
      const belongings = await belongingsFor(world, operation, shared)
      const sample = sampleOf(operation, belongings)
      const caller = callerOf(operation, world, belongings)
      const { payload, headers } = contentOf(sample)
      const url = urlOf(operation, sample?.params)
      const kept = await state()
      proxy.cutAfterCommit()
      const answer = await ask(operation.method, url, payload, {
        key: caller.key,
        headers: { ...caller.headers, ...headers },
      })
      proxy.mend()
      if (answer.status === operation.success) return
      assert.equal(answer.status, 503, answer.text)
      const changed = [...(await state())].filter(
        // An attempt to sign in counts as failed until it is answered (D-574).
        ([name, sum]) => kept.get(name) !== sum && name !== 'public.sign_in_failures',
      )
      assert.deepEqual(changed, [], 'answered 503 and was kept')
    })
  }
})
