/** No value of a message reaches a statement unchecked (D-120): poison in every field. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DialectName, dialects } from '#iso8583/dialects.ts'
import { type Field, fieldTable } from '#iso8583/fields.ts'
import { frame } from '#iso8583/framing.ts'
import { decode, type Fields, type Message } from '#iso8583/message.ts'
import { isCurrency } from '#lib/currency.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { neverText, perhapsText, poisoned } from '#test/support/network/poison.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenantFinder } from '../authorization.ts'
import { createNetworkPort } from './port.ts'

const keep = keeper()
const world = keep(await openWorld({ settings: { card_verification_max_tries: 0 } }))
const issuer = await openIssuer(world)

const { card_id } = await issuer.card(100_000)
const pan: string = (await issuer.call('GET', `/v1/cards/${card_id}:reveal`)).body.card_number

async function openPort(dialect: DialectName) {
  const { engine, services, log } = world
  const network = keep(
    createNetworkPort({
      host: '127.0.0.1',
      port: 0,
      dialect,
      header: 'binary2',
      log,
      engine: { submit: engine.submit.bind(engine), tenantOfPan: createTenantFinder(services) },
    }),
  )
  const { port } = await network.listen()
  const acquirer = keep(await connectAcquirer({ port, dialect }))
  await acquirer.signOn()
  return acquirer
}

const zeros = '0'.repeat(42)
/** Fields that only some messages are read for. */
const around: Readonly<Record<number, [mti: string, fields: Fields]>> = {
  38: ['0120', { 38: '000001', 39: '00' }],
  39: ['0120', { 38: '000001', 39: '00' }],
  52: ['0100', { 3: '010000', 22: '051' }],
  55: ['0100', { 22: '051' }],
  90: ['0420', { 90: zeros }],
  95: ['0420', { 90: zeros }],
}

function usual({ de }: Field): Message {
  const [mti, fields] = around[de] ?? ['0100', {}]
  return sale({ pan, amount: 100n, mti, fields })
}

const errorsIn = (lines: readonly string[]) =>
  lines.filter((line) => /"level":"(error|fatal)"/.test(line))

/** A decision or its answer is made of these; the bytes of other fields decline nothing (D-1033). */
const DECIDING: ReadonlySet<number> = new Set([
  ...[2, 3, 4, 7, 11, 14, 18, 19, 22, 23, 25, 32, 35, 37, 38, 39, 42, 48, 49, 52, 53, 55, 70, 90],
  ...[95, 123],
])
/** Terminal and name may have any characters (any_bytes.test.ts). */
const NAMES: ReadonlySet<number> = new Set([41, 43])

/** A field of characters; digits that are packed, and raw bytes, may hold anything. */
const isText = ({ type }: Field, dialect: DialectName) => {
  if (type === 'b') return dialects[dialect].binary === 'hex'
  if (type === 'z') return dialects[dialect].track === 'characters'
  return type.startsWith('a') || dialects[dialect].digits === 'characters'
}

for (const dialect of Object.keys(dialects) as DialectName[]) {
  describe(`over ${dialect}`, () => {
    test('poison in any field is rejected or harmless, and good messages beside it are 00', async () => {
      const acquirer = await openPort(dialect)
      const before = world.logged.length
      const put = (field: Field, poison: Buffer) => {
        const bytes = poisoned(usual(field), field, poison, dialect)
        acquirer.raw(frame(bytes, 'binary2'))
        return acquirer.next()
      }
      for (const field of fieldTable.filter(({ de }) => !NAMES.has(de))) {
        const good = [sale({ pan, amount: 100n }), sale({ pan, amount: 100n })]
        const [never, perhaps, ...right] = await Promise.all([
          Promise.all(Object.values(neverText).map((poison) => put(field, poison(dialect)))),
          Promise.all(Object.values(perhapsText).map((poison) => put(field, poison(dialect)))),
          ...good.map((message) => acquirer.send(message)),
        ])
        const what = `DE${field.de}`
        assert.deepEqual(
          right.map(({ fields }) => fields[39]),
          ['00', '00'],
          what,
        )
        for (const { fields } of perhaps) assert.doesNotMatch(fields[39] ?? '', /^(9\d)?$/, what)
        if (isText(field, dialect)) {
          const de39 = DECIDING.has(field.de) ? '30' : '00'
          assert.deepEqual(
            never.map(({ fields }) => fields[39]),
            [de39, de39, de39],
            what,
          )
        }
      }
      assert.deepEqual(errorsIn(world.logged.slice(before)), [])
    })

    test('a currency that is none is a format fault, and is recorded as one', async () => {
      const acquirer = await openPort(dialect)
      const before = world.logged.length
      const wrong = ['   ', '000', '001', 'AED', '78 ', '12A']
      const messages = wrong.map((value) => sale({ pan, amount: 100n, fields: { 49: value } }))
      // They decide nothing (D-1033).
      const others = wrong.flatMap((value) =>
        [50, 51].map((de) => sale({ pan, amount: 100n, fields: { [de]: value } })),
      )
      const good = Array.from({ length: 20 }, () => sale({ pan, amount: 100n }))
      const all = messages.flatMap((message, at) => [message, ...good.slice(at, at + 1)])
      const answers = await Promise.all([...all, ...others].map(acquirer.send))
      const rrns = messages.map(({ fields }) => fields[37] ?? '')
      for (const { fields } of answers) {
        assert.equal(fields[39], rrns.includes(fields[37] ?? '') ? '30' : '00')
      }
      const rows = await world.db
        .selectFrom('transactions')
        .select(['status_code', 'currency', 'details'])
        .where('tenant_id', '=', world.tenant.id)
        .where('rrn', 'in', rrns)
        .execute()
      assert.equal(rows.length, messages.length)
      for (const { status_code, currency, details } of rows) {
        const { billing_currency } = details
        assert.equal(status_code, '9104')
        assert.ok(currency === 'XXX' || isCurrency(currency))
        assert.ok(billing_currency === undefined || isCurrency(billing_currency))
      }
      assert.deepEqual(errorsIn(world.logged.slice(before)), [])
    })
  })
}

test('a simulated message with poison in any member is rejected or harmless', async () => {
  const before = world.logged.length
  const path = '/v1/simulate/authorizations'
  const body = { card_id, amount: 1, currency: 'AED' }
  const members = ['card_id', 'card_number', 'amount', 'currency', 'cvv2', 'pin', 'expiry']
  const ofMerchant = ['id', 'name', 'mcc', 'city', 'country']
  const poisons = [
    ...['\u0000', 'a\u0000b', '\ud800', '   ', '1'.padEnd(19, '0'), '\u0001\u001e\u007f'],
    ...["'); drop table transactions; --", '{"a":null}', '{NULL,"}', 'x'.repeat(10_000)],
  ]
  const answers = poisons.flatMap((poison) => [
    ...members.map((name) => ({ ...body, [name]: poison })),
    ...ofMerchant.map((name) => ({ ...body, merchant: { [name]: poison } })),
  ])
  for (const each of answers) {
    const [answer, good] = await Promise.all([
      issuer.call('POST', path, each),
      issuer.call('POST', path, body),
    ])
    assert.ok(answer.status === 200 || answer.status === 400, answer.text)
    assert.deepEqual([good.status, good.body.status_code], [200, '0000'])
  }
  assert.deepEqual(errorsIn(world.logged.slice(before)), [])
})

test('the poison of these tests is in the field that it is meant for', () => {
  for (const dialect of Object.keys(dialects) as DialectName[]) {
    for (const field of fieldTable.filter((each) => isText(each, dialect))) {
      const decoded = decode(poisoned(usual(field), field, Buffer.from([1]), dialect), dialect)
      assert.equal(decoded.ok ? undefined : decoded.fault.de, field.de)
    }
  }
})
