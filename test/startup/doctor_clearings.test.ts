/** `bezant doctor` on clearing files: records and what they moved (D-1044). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { recordNetworkMove } from '#issuing/disputes/disputes.ts'
import { auditAll } from '#src/audit/audits.ts'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { openDisputed } from '#test/support/clearing/disputed.ts'
import { exportReturned } from '#test/support/clearing/suspended.ts'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const card = await issuer.card(100)
const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
const pan = String(body.card_number)
const unknown = presentment(`${pan.slice(0, 12)}0000`, 2_500n)
const fee = {
  ...{ MTI: '1740', DE3: '190000', DE4: '000000000300', DE24: '700', DE33: '12345678901' },
  ...{ DE49: '784', PDS0137: '00000000000000000001' },
}
const totals = { MTI: '1644', DE24: '685', DE4: '000000007000', DE49: '784' }
const { id, records } = await clearer.clear(
  await clearingFile([
    ...[presentment(pan, 1_000n), presentment(pan, 700n), unknown, unknown],
    ...[fee, totals],
  ]),
)
const resolved = await clearer.resolve(id, 5, { action: 'RETURN', note: 'sent back' })
assert.equal(resolved.status, 200)
const posted: string = records[1].transaction_id
const disputed = await openDisputed(issuer, clearer).submitted(50)
await recordNetworkMove(await world.ctx(), disputed.id, { step: 'SENT' })
const second = await clearer.clear(await clearingFile([{ ...disputed.record, DE24: '205' }]))
assert.equal(second.records[1].dispute_id, disputed.id)
const outgoing = await exportReturned(world, world.tenant.id)

const change = (number: number, set: string) => (): ReturnType<Statement> =>
  sql`update clearing_records set ${sql.raw(set)} where file_id = ${id} and number = ${number}`

test('nothing is found of a file that was posted and resolved', async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

const planted: [string, Statement, string[]][] = [
  [
    'a posting without its record',
    change(2, `state = 'SHOWN', transaction_id = null`),
    [`I4 transaction ${posted}`],
  ],
  [
    'a record without its posting',
    () => sql`update transactions set details = jsonb_set(jsonb_set(details::jsonb, '{events}',
        '[]'), '{message_type}', '"0100"')::json where id = ${posted}`,
    [`I4 record 2 of file ${id}`],
  ],
  [
    'a record that was resolved twice',
    () => sql`update clearing_records set state = 'SUSPENDED', resolution = null
      where file_id = ${id} and number = 5`,
    ['I4 suspense in AED'],
  ],
  [
    'a suspense that was written off without its booking',
    change(4, `state = 'RESOLVED', resolution = 'WRITTEN_OFF'`),
    ['I4 suspense in AED'],
  ],
  [
    'a record that is posted with another amount',
    change(2, 'amount = amount + 1'),
    [`I4 transaction ${posted}`],
  ],
  [
    'a record that is skipped',
    change(4, `state = 'SHOWN', booked_amount = null, booked_currency = null`),
    [`I4 record 4 of file ${id}`, 'I4 suspense in AED'],
  ],
  [
    'another amount in suspense than the network settles',
    change(4, 'amount = amount + 1'),
    [`I4 record 4 of file ${id}`],
  ],
  [
    'a fee without its booking',
    () => sql`update transfers set amount = amount + 1 where kind = 'SCHEME_FEE'`,
    ['I4 fees of files in AED'],
  ],
  [
    'a booking of a fee without its record',
    change(6, `state = 'SHOWN'`),
    [`I4 record 6 of file ${id}`, 'I4 fees of files in AED'],
  ],
  [
    'a total of the file that its records do not have (685)',
    change(7, `content = content || '{"DE4": "000000007001"}'`),
    [`I4 record 7 of file ${id}`],
  ],
  [
    'a second presentment that has not moved its dispute',
    () => sql`update disputes set moves = moves - 3 where id = ${disputed.id}`,
    [`I4 dispute ${disputed.id}`],
  ],
  [
    'a message that is gone from an outgoing file',
    () => sql`delete from clearing_export_messages where export_id = ${outgoing}`,
    [`I4 outgoing clearing file ${outgoing}`],
  ],
  [
    'a sum that was changed',
    () => sql`update clearing_files set amount = amount + 1 where id = ${id}`,
    [`I4 clearing file ${id}`],
  ],
  [
    'a record that is gone',
    () => sql`delete from clearing_records where file_id = ${id} and number = 8`,
    [`I4 clearing file ${id}`],
  ],
]
for (const [name, statement, found] of planted) {
  test(`doctor finds ${name}`, async () => {
    const findings = inOrder(await foundAfter(world, statement))
    assert.deepEqual(
      found.filter((one) => !findings.includes(one)),
      [],
      findings.join('\n'),
    )
  })
}
