/** The outgoing clearing file: each message leaves once, and the file balances (D-1063, D-1131). */

import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { objectOf } from '#clearing/json.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { auditAll } from '#src/audit/audits.ts'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { openDisputed } from '#test/support/clearing/disputed.ts'
import { readAll } from '#test/support/clearing/files.ts'
import { openInjector } from '#test/support/faults/injector.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { FileCheck } from '../rules/file_check.ts'
import { exportClearing } from './exporting.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const disputed = openDisputed(issuer, clearer)
const second = keep(openDatabase(world.url, 4, { role: USUAL_ROLE }))
const { id: tenant_id } = world.tenant
const { operator_key: key } = world

afterEach(async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

const ask = (fields: object = {}) => clearer.ask('POST', ':export', { tenant_id, ...fields })
async function exported(fields: object = {}) {
  const { status, body, text } = await ask(fields)
  assert.equal(status, 200, text)
  return body
}

/** The bytes of a file, whose records balance and are read by the reader of imports. */
async function recordsOf(id: string) {
  const url = `/v1/operator/clearingexports/${id}:download?tenant_id=${tenant_id}`
  const answer = await world.app.inject({ method: 'GET', url, headers: { apikey: key } })
  assert.equal(answer.statusCode, 200, answer.body)
  const bytes = answer.rawPayload
  const check = new FileCheck()
  const records = (await readAll(bytes)).map((reading) => {
    assert.ok('record' in reading, JSON.stringify(reading))
    check.add(reading.number, reading.at, reading.record)
    return objectOf(reading.record)
  })
  const { faults, file } = check.end()
  assert.deepEqual(faults, [])
  return { bytes, file, records: records.slice(1, -1) }
}

const disputeOf = async (id: string) => (await issuer.call('GET', `/v1/disputes/${id}`)).body
const move = async (id: string, verb: string) => {
  const { status, text } = await issuer.call('POST', `/v1/disputes/${id}:${verb}`, {})
  assert.equal(status, 200, text)
}
const referenceOf = (id: string) => id.replaceAll('-', '').slice(-10).toUpperCase()

/** A record in suspense that a person has returned; `members` change the presentment. */
async function returned(members: object = {}) {
  const { pan } = await disputed.submitted(10)
  const record = { ...presentment(`${pan.slice(0, 12)}0000`, 2_500n), ...members }
  const { id } = await clearer.clear(await clearingFile([record]), [tenant_id])
  const resolved = await clearer.resolve(id, 2, { action: 'RETURN', note: 'no such card' })
  assert.equal(resolved.status, 200, resolved.text)
  return record
}

describe('an outgoing clearing file', () => {
  test('has a chargeback for each dispute and a fee message for each return', async () => {
    const whole = await disputed.submitted(100)
    const part = await disputed.submitted(100, { amount: 40.5 })
    const debit = await returned()
    const credit = await returned({ DE3: '200000' })
    const row = await exported({ institution: '604' })
    const { file, records, bytes } = await recordsOf(row.id)
    assert.equal(file, row.file)
    assert.match(row.file, /^002\d{6}00000000604\d{5}$/)
    const of = (id: string) => records.find(({ DE95 }) => DE95 === referenceOf(id))
    const { DE2, DE31, DE42 } = whole.record
    assert.partialDeepStrictEqual(of(whole.id), {
      ...{ MTI: '1442', DE24: '450', DE4: '000000010000', DE49: '784', PDS0148: '7842' },
      ...{ DE2, DE31, DE42, DE94: '00000000604', DE30: '000000010000000000000000' },
      DE72: 'It never came.',
    })
    assert.partialDeepStrictEqual(of(part.id), { DE24: '453', DE4: '000000004050' })
    const fees = records.filter(({ MTI }) => MTI === '1740')
    assert.deepEqual(
      new Set(fees.map(({ DE3, DE4, DE31 }) => `${DE3} ${DE4} ${DE31}`)),
      new Set([`190000 000000002500 ${debit.DE31}`, `290000 000000002500 ${credit.DE31}`]),
    )
    for (const { id } of [whole, part]) {
      assert.equal((await disputeOf(id)).status, 'CHARGED_BACK')
    }

    const none = await ask()
    assert.deepEqual([none.status, none.body.code], [409, 'nothing_to_export'])
    assert.ok((await recordsOf(row.id)).bytes.equals(bytes), 'the same bytes again')
  })

  test('names a whole payment in another currency as whole, and a part of it as a part', async () => {
    const rates = [{ from: 'USD', to: 'AED', rate: '3.6725' }]
    const set = await world.request('PUT', '/v1/operator/rates', { tenant_id, rates }, { key })
    assert.equal(set.status, 200, set.text)
    const { body } = await issuer.call(
      'GET',
      `/v1/cards/${(await issuer.card(1_000)).card_id}:reveal`,
    )
    const paid = async (fields: object = {}) => {
      const record = presentment(String(body.card_number), 10_000n, {
        DE49: '840',
        PDS0148: '8402',
      })
      const { records } = await clearer.clear(await clearingFile([record]), [tenant_id])
      return disputed.submit(records[1].transaction_id, fields)
    }
    const whole = await paid()
    // As many minor units of the account as the payment has of its own currency.
    const part = await paid({ amount: 100 })
    const { records } = await recordsOf((await exported()).id)
    const codes = records.map(({ DE24, DE95, DE4, DE49 }) => [DE95, DE24, DE4, DE49])
    assert.deepEqual(
      codes.toSorted(),
      [
        [referenceOf(whole.id), '450', '000000036725', '784'],
        [referenceOf(part.id), '453', '000000010000', '784'],
      ].toSorted(),
    )
  })

  test('has the arbitration, and the reversal of what was withdrawn', async () => {
    const first = await disputed.submitted(100)
    const withdrawn = await disputed.submitted(50)
    await exported()
    await clearer.clear(await clearingFile([{ ...first.record, DE24: '205' }]), [tenant_id])
    await move(first.id, 'arbitrate')
    await move(withdrawn.id, 'withdraw')
    const { records } = await recordsOf((await exported()).id)
    const codes = records.map(({ DE24, DE95, PDS0025 }) => [DE95, DE24, PDS0025?.charAt(0)])
    assert.deepEqual(
      codes.toSorted(),
      [
        [referenceOf(first.id), '451', undefined],
        [referenceOf(withdrawn.id), '450', 'R'],
      ].toSorted(),
    )
  })

  test('names the presentment of what was withdrawn, which was reversed behind it', async () => {
    const { id, record } = await disputed.submitted(50)
    await exported()
    await clearer.clear(await clearingFile([{ ...record, PDS0025: 'R261129' }]), [tenant_id])
    await move(id, 'withdraw')
    const { records } = await recordsOf((await exported()).id)
    const { DE31 } = record
    assert.deepEqual(
      records.map(({ DE95, DE24, DE31 }) => [DE95, DE24, DE31]),
      [[referenceOf(id), '450', DE31]],
    )
  })

  test('has no chargeback of what was refunded meanwhile', async () => {
    const { id, transaction_id } = await disputed.submitted(100)
    const refund = { transaction_id, currency: 'AED', amount: 100 }
    const { status, text } = await issuer.call('POST', '/v1/simulate/refunds', refund)
    assert.equal(status, 200, text)
    assert.equal((await ask()).status, 409)
    assert.equal((await disputeOf(id)).status, 'DRAFT')
  })

  test('is written in EBCDIC and blocks, and its numbers go on', async () => {
    await disputed.submitted(100)
    const one = await exported({ ebcdic: true, blocked: true })
    const { bytes } = await recordsOf(one.id)
    assert.equal(bytes.length % 1014, 0)
    await disputed.submitted(100)
    const other = await exported()
    assert.equal(Number(other.file.slice(-5)), Number(one.file.slice(-5)) + 1)
    const path = `/v1/operator/clearingexports?tenant_id=${tenant_id}&limit=2`
    const { body } = await world.request('GET', path, undefined, { key })
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [other.id, one.id],
    )
  })
})

/** The disputes and returned records with a message in a file, each of which is there once. */
async function sentOnce() {
  const { rows } = await sql<{ of: string; times: number }>`
    select coalesce(dispute_id::text, file_id::text || record_number) as of,
      content ->> 'DE24' as code, content ->> 'PDS0025' as reversal, count(*)::int as times
    from clearing_export_messages m
    join clearing_exports e on e.tenant_id = m.tenant_id and e.id = m.export_id
    group by 1, 2, 3`.execute(world.db)
  assert.deepEqual(
    rows.filter(({ times }) => times !== 1),
    [],
  )
  return new Set(rows.map(({ of }) => of))
}

test('exports of two processes at one time send each message once', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => disputed.submitted(10)))
  await returned()
  const ctx = await world.ctx()
  const other = { ...ctx, db: second.db }
  const done = await Promise.allSettled(
    [ctx, other, ctx].map((one) => exportClearing(one, { tenant_id })),
  )
  assert.ok(done.some(({ status }) => status === 'fulfilled'))
  const sent = await sentOnce()
  for (const { id } of made) assert.ok(sent.has(id))
})

test('an export that fails at any step loses and doubles nothing', async () => {
  const injector = keep(openInjector(world.services.keys, { own: true }))
  const made = await Promise.all(Array.from({ length: 3 }, () => disputed.submitted(10)))
  await returned()
  const ctx = await world.ctx()
  const again = () =>
    exportClearing(ctx, { tenant_id }).then(
      () => true,
      () => false,
    )
  let faults = 0
  for (let at = 0; ; at += 2) {
    const { result, kind } = await injector.during(at, again)
    if (kind === undefined) break
    faults += 1
    assert.equal(result, false)
  }
  assert.ok(faults > 20, `${faults} steps have failed`)
  const sent = await sentOnce()
  for (const { id } of made) assert.ok(sent.has(id))
})
