import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { rowsRead, sumOf } from '#test/support/inspection/rows_read.ts'
import { openWorld } from '#test/support/world.ts'
import { claimPortion, updatePostponed, type WaitingRecord } from './claim_store.ts'
import { importClearing } from './importing.ts'
import { listSiblings, lockWaiting, updateDecided, updateReversed } from './record_store.ts'

const RECORDS = 4_000
const PORTION = 50
/** Rows that a statement reads for one record: itself from two ends, and where it changes. */
const READ_MAX = 4

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
// Statistics that the server makes meanwhile would let it read a table of this size as a whole.
await sql`alter table clearing_records set (autovacuum_enabled = off)`.execute(world.db)

test('a portion of a file without statistics reads a few rows a record', async () => {
  const pan = '4000001234567899'
  const records = Array.from({ length: RECORDS }, () => presentment(pan, 100n))
  const ctx = await world.ctx()
  const file = Readable.from([await clearingFile(records)])
  const { row } = await importClearing(ctx, file, ctx.tenant_id)
  assert.equal(row.state, 'ACCEPTED')
  let claimed: WaitingRecord[] = []
  const steps: Record<string, (tx: Tx) => Promise<unknown>> = {
    claimed: async (tx) => {
      claimed = (await claimPortion(tx, PORTION))?.records ?? []
      assert.equal(claimed.length, PORTION)
    },
    siblings: async (tx) => {
      const ards = claimed.flatMap(({ ard }) => ard ?? [])
      assert.equal((await listSiblings(tx, ards)).length, ards.length)
    },
    locked: async (tx) => assert.equal((await lockWaiting(tx, claimed)).length, PORTION),
    postponed: (tx) => updatePostponed(tx, claimed, 0),
    decided: (tx) => updateDecided(tx, claimed.map(posted)).start(),
    reversed: (tx) => updateReversed(tx, claimed).start(),
  }
  for (const [step, run] of Object.entries(steps)) {
    const read = await transact(ctx, async (tx) => {
      const before = sumOf(await rowsRead(tx, /^clearing_records/))
      await run(tx)
      return sumOf(await rowsRead(tx, /^clearing_records/)) - before
    })
    assert.ok(read <= READ_MAX * PORTION, `${step}: ${read} rows`)
  }
})

const posted = ({ file_id, number }: WaitingRecord) => ({
  ...{ file_id, number, state: 'POSTED' as const, status_code: '0000', reason: null },
  ...{ transaction_id: null, booked: undefined },
})
