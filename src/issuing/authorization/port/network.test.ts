/** The loop over TCP: real messages, the real engine, a real database. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { DialectName } from '#iso8583/dialects.ts'
import { frame } from '#iso8583/framing.ts'
import { decode, encode, type Fields, type Message } from '#iso8583/message.ts'
import { move, programAccountId } from '#issuing/ledger/ledger.ts'
import { transact } from '#kit/context.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { completion, reversal, sale } from '#test/support/network/messages.ts'
import { format0, format4, oneNumber, preparePins } from '#test/support/network/pins.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenantFinder } from '../authorization.ts'
import { lenient } from '../message/format.ts'
import { createNetworkPort } from './port.ts'

const keep = keeper()
const world = keep(await openWorld())
const revealed: string[] = []

let bins = 420_000
const ask = async (method: string, path: string, body?: object) => {
  const answer = await world.request(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

type TestCard = { id: string; account_id: string; pan: string; cvv2: string; expiry: string }

/** An active card with so many minor units of AED on its account. */
async function fundedCard(funds: bigint, product: object = {}): Promise<TestCard> {
  const user = await ask('POST', '/v1/users', { user_type: 'INDIVIDUAL', first_name: 'Noura' })
  const { id: card_product_id } = await ask('POST', '/v1/cardproducts', {
    name: 'Wire',
    currency: 'AED',
    bin: String(bins++),
    ...product,
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const card = await ask('POST', '/v1/cards', {
    user_id: user.id,
    card_product_id,
    card_type: 'VIRTUAL',
  })
  const shown = await ask('GET', `/v1/cards/${card.id}:reveal`)
  const ctx = await world.ctx()
  const debit_account_id = programAccountId(ctx.tenant_id, 'EXTERNAL', 'AED')
  const credit_account_id = card.account_id
  const load = { kind: 'LOAD', debit_account_id, credit_account_id, currency: 'AED' }
  await transact(ctx, (tx) => move(tx, [{ ...load, amount: funds }]))
  revealed.push(shown.card_number)
  return {
    id: card.id,
    account_id: card.account_id,
    pan: shown.card_number,
    cvv2: shown.cvv2,
    expiry: shown.expiry_date.slice(2).replace('-', ''),
  }
}

/** `decided` runs between the engine's answer and its way out. */
async function openPort(dialect: DialectName, decided = async (): Promise<void> => undefined) {
  const network = keep(
    createNetworkPort({
      host: '127.0.0.1',
      port: 0,
      dialect,
      header: 'binary2',
      log: world.log,
      engine: {
        submit: async (tenant_id, job) => {
          const answer = await world.engine.submit(tenant_id, job)
          await decided()
          return answer
        },
        tenantOfPan: createTenantFinder(world.services),
      },
    }),
  )
  const { port } = await network.listen()
  const acquirer = keep(await connectAcquirer({ port, dialect }))
  await acquirer.signOn()
  return { network, acquirer, dialect }
}

const ports = { ascii: await openPort('ascii'), bcd: await openPort('bcd') }

/** The balance and the held part of it, minor units. */
async function standing({ account_id }: TestCard): Promise<[balance: bigint, held: bigint]> {
  const { balance, held } = await world.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('tenant_id', '=', world.tenant.id)
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return [BigInt(balance ?? 0n), BigInt(held)]
}

const codesOf = async ({ id }: TestCard): Promise<string[]> => {
  const { data } = await ask('GET', `/v1/transactions?card_id=${id}`)
  return data.map(({ status_code }: { status_code: string }) => status_code)
}

/** Everything that proves an e-commerce cardholder. */
const proofs = ({ cvv2, expiry }: TestCard): Fields => ({ 14: expiry, 48: `9203${cvv2}` })

for (const { acquirer, dialect } of Object.values(ports)) {
  const pay = (card: TestCard, amount: bigint, fields: Fields = {}) =>
    sale({ pan: card.pan, amount, fields: { ...proofs(card), ...fields } })
  const send = async (message: Message) => (await acquirer.send(message)).fields

  describe(`over ${dialect}`, () => {
    test('a purchase holds, its completion posts, its refund gives back', async () => {
      const card = await fundedCard(10_000n)
      const bought = pay(card, 2_500n)
      const answer = await acquirer.send(bought)
      assert.deepEqual([answer.mti, answer.fields[39], answer.fields[48]], ['0110', '00', '8701M'])
      assert.match(answer.fields[38] ?? '', /^\w{6}$/)
      assert.deepEqual(await standing(card), [10_000n, 2_500n])

      const cleared = await acquirer.send(completion(bought, answer))
      assert.deepEqual([cleared.mti, cleared.fields[39]], ['0230', '00'])
      assert.deepEqual(await standing(card), [7_500n, 0n])

      const refund = completion(bought, answer, { 3: '200000', 4: '000000001000' })
      assert.equal((await send(refund))[39], '00')
      assert.deepEqual(await standing(card), [8_500n, 0n])
    })

    test('a purchase in another currency is answered in it and held in the account’s', async () => {
      const card = await fundedCard(100_000n)
      const rates = [{ from: 'USD', to: 'AED', rate: '3.6725' }]
      const options = { key: world.operator_key }
      await world.request('PUT', '/v1/operator/rates', { rates }, options)
      // The amounts of the network decide nothing, and are not what is held (D-1034).
      const network = { 6: '000000036800', 10: '43680000', 51: '784' }
      const bought = pay(card, 10_000n, { 49: '840', ...network })
      const answer = await acquirer.send(bought)
      assert.partialDeepStrictEqual(answer.fields, { 39: '00', 4: '000000010000', 49: '840' })
      assert.deepEqual(
        [6, 10, 51].map((de) => answer.fields[de]),
        [undefined, undefined, undefined],
      )
      assert.deepEqual(await standing(card), [100_000n, 36_725n])
      await send(reversal(bought, 4_000n))
      assert.deepEqual(await standing(card), [100_000n, 14_690n])
      const cleared = await send(completion(bought, answer, { 4: '000000004000' }))
      assert.equal(cleared[39], '00')
      assert.deepEqual(await standing(card), [85_310n, 0n])
      const none = await send(pay(card, 100n, { 49: '978' }))
      assert.equal(none[39], '12')
    })

    test('a partial approval in another currency names what the account covers', async () => {
      const card = await fundedCard(1_000n, { partial_approval: true })
      const elements = `9203${card.cvv2}61011`
      const answer = await send(pay(card, 10_000n, { 49: '840', 48: elements, 51: '784' }))
      assert.deepEqual([answer[39], answer[4], answer[51]], ['10', '000000000272', undefined])
      assert.deepEqual(await standing(card), [1_000n, 999n])
    })

    test('a refund request is credited at once', async () => {
      const card = await fundedCard(100n)
      const message = pay(card, 700n, { 3: '200000' })
      assert.equal((await send({ ...message, mti: '0200' }))[39], '00')
      assert.deepEqual(await standing(card), [800n, 0n])
    })

    test('a message under the key of another is answered 30, without the code of the first', async () => {
      const [card, other] = [await fundedCard(10_000n), await fundedCard(10_000n)]
      const first = pay(card, 2_500n)
      const approved = await send(first)
      assert.equal(approved[39], '00')
      const otherCard = { ...first, fields: { ...first.fields, 2: other.pan, ...proofs(other) } }
      const more = { mti: '0101', fields: { ...first.fields, 4: '000000009900' } }
      for (const wrong of [otherCard, more]) {
        const answer = await send(wrong)
        assert.deepEqual([answer[39], answer[38]], ['30', undefined])
      }
      assert.deepEqual(await send({ ...first, mti: '0101' }), approved)
      assert.deepEqual(
        [await standing(card), await standing(other)],
        [
          [10_000n, 2_500n],
          [10_000n, 0n],
        ],
      )
    })

    test('a balance that DE54 cannot hold is left out of the answer to an inquiry', async () => {
      const card = await fundedCard(10n ** 12n)
      const inquiry = pay(card, 0n, { 3: '310000' })
      const none = await send(inquiry)
      assert.deepEqual([none[39], none[54]], ['00', undefined])
      const held = await send(pay(card, 1n))
      assert.equal(held[39], '00')
      const next = await send(pay(card, 0n, { 3: '310000' }))
      assert.deepEqual([next[39], next[54]], ['00', '0002784C999999999999'])
    })

    test('what may not be paid is declined by its own DE39 and holds nothing', async () => {
      const card = await fundedCard(1_000n)
      const rows: [Message, de39: string, code: string][] = [
        [pay(card, 1_001n), '51', '1016'],
        [pay(card, 100n, { 48: `9203${card.cvv2 === '111' ? '222' : '111'}` }), 'N7', '1022'],
        [pay(card, 100n, { 14: '4001' }), '54', '1804'],
        [pay(card, 0n), '13', '1010'],
        [pay(card, 100n, { 3: '990000' }), '12', '1888'],
        [pay(card, 100n, { 49: '001' }), '30', '9104'],
        [pay(card, 100n, { 22: undefined }), '30', '1846'],
        [pay(card, 100n, { 18: undefined }), '30', '9104'],
        [pay(card, 100n, { 22: '901', 48: undefined }), '82', '1022'],
      ]
      for (const [message, de39] of rows) {
        const fields = await send(message)
        assert.equal(fields[39], de39)
        assert.equal(fields[38], undefined)
      }
      const codes = rows.map(([, , code]) => code)
      assert.deepEqual((await codesOf(card)).toReversed(), codes)
      assert.deepEqual(await standing(card), [1_000n, 0n])
    })

    test('a PIN comes in DE52 or DE123: right 00, wrong 55, and after three wrong ones 75', async () => {
      const card = await fundedCard(1_000n, oneNumber)
      await preparePins(world, card.id, world.tenant.api_key)
      const enc_pin = format4('4831', card.pan)
      await ask('PUT', `/v1/cards/${card.id}:changepin`, { enc_pin })
      const inDe52 = (pin: string): Fields => ({ 52: format0(pin, card.pan), 53: '00'.repeat(8) })
      const inDe123 = (pin: string): Fields => ({
        123: format4(pin, card.pan),
        53: '04'.padEnd(16, '0'),
      })
      const answers: (string | undefined)[] = []
      for (const fields of [
        ...[
          inDe52('4831'),
          inDe123('4831'),
          inDe52('4832'),
          inDe123('4833'),
          { 52: '00'.repeat(8) },
        ],
        ...[inDe52('4831'), inDe123('4831'), {}],
      ]) {
        const answer = await send(pay(card, 10n, fields))
        answers.push(answer[39])
        assert.deepEqual([answer[52], answer[123]], [undefined, undefined])
      }
      assert.deepEqual(answers, ['00', '00', '55', '55', '55', '75', '75', '00'])
      const { data } = await ask('GET', `/v1/transactions?card_id=${card.id}&status=DECLINED`)
      const trace = await ask('GET', `/v1/transactions/${data[0].id}/trace`)
      // Its id has such digits by chance.
      const { transaction_id: _id, ...rest } = trace
      assert.doesNotMatch(JSON.stringify(rest), /483[123]/)
    })

    test('a number of no tenant and a number of no card are both 14', async () => {
      assert.equal((await send(sale({ pan: '5391231701011006089', amount: 100n })))[39], '14')
      const card = await fundedCard(1_000n)
      const other = card.pan.slice(0, 8) + card.pan.slice(8).replaceAll(/\d/g, '7')
      assert.equal((await send(sale({ pan: other, amount: 100n })))[39], '14')
    })

    test('a repeat gets the same bytes and no second hold', async () => {
      const card = await fundedCard(1_000n)
      const message = pay(card, 600n)
      const first = await acquirer.exchange(message)
      const again = await acquirer.exchange(message)
      const repeat = await acquirer.exchange({ ...message, mti: '0101' })
      assert.equal(first.message.fields[39], '00')
      assert.deepEqual(again.bytes, first.bytes)
      assert.deepEqual(repeat.bytes, first.bytes)
      assert.deepEqual(await standing(card), [1_000n, 600n])
    })

    test('repeats that arrive together are one', async () => {
      const card = await fundedCard(1_000n)
      const message = pay(card, 600n)
      for (let at = 0; at < 8; at += 1) acquirer.post(message)
      const answers: Message[] = []
      while (answers.length < 8) {
        const message = await acquirer.next()
        // A slow machine lets the port ask for an echo in between.
        if (message.mti !== '0800') answers.push(message)
      }
      for (const answer of answers) assert.deepEqual(answer, answers[0])
      assert.equal(answers[0]?.fields[39], '00')
      assert.deepEqual(await standing(card), [1_000n, 600n])
    })

    test('a reversal releases all, a partial one leaves what DE95 contains', async () => {
      const card = await fundedCard(1_000n)
      const whole = pay(card, 400n)
      const partly = pay(card, 500n)
      await send(whole)
      await send(partly)
      const back = await acquirer.send(reversal(partly, 200n))
      assert.deepEqual([back.mti, back.fields[39]], ['0410', '00'])
      assert.deepEqual(await standing(card), [1_000n, 600n])
      assert.equal((await send(reversal(whole)))[39], '00')
      assert.deepEqual(await standing(card), [1_000n, 200n])
      assert.equal((await send(reversal(whole)))[39], '21')
    })

    test('a reversal that comes first declines its original', async () => {
      const card = await fundedCard(1_000n)
      const late = pay(card, 300n)
      assert.equal((await send(reversal(late)))[39], '25')
      assert.equal((await send(late))[39], '21')
      assert.equal((await send({ ...reversal(pay(card, 10n)), mti: '0420' }))[39], '00')
      assert.deepEqual(await standing(card), [1_000n, 0n])
    })

    test('an advice is acknowledged, above the funds as well', async () => {
      const card = await fundedCard(1_000n)
      const reported = { ...pay(card, 1_500n, { 38: '778899', 39: '00' }), mti: '0120' }
      const answer = await acquirer.send(reported)
      assert.deepEqual([answer.mti, answer.fields[39]], ['0130', '00'])
      const declined = { ...pay(card, 100n, { 39: '05' }), mti: '0120' }
      assert.equal((await send(declined))[39], '00')
      assert.deepEqual((await codesOf(card)).toReversed(), ['0000', '1856'])
      assert.deepEqual(await standing(card), [1_000n, 1_500n])
    })

    test('a financial request holds and posts at once, and can be undone', async () => {
      const card = await fundedCard(1_000n)
      const drawn = { ...pay(card, 300n), mti: '0200' }
      const answer = await acquirer.send(drawn)
      assert.deepEqual([answer.mti, answer.fields[39]], ['0210', '00'])
      assert.deepEqual(await standing(card), [700n, 0n])
      assert.equal((await send(reversal(drawn)))[39], '00')
      assert.deepEqual(await standing(card), [1_000n, 0n])
    })

    test('a terminal that can take less is given what is there, with the balances', async () => {
      const card = await fundedCard(1_000n, { partial_approval: true })
      const fields = await send(pay(card, 1_500n, { 48: `9203${card.cvv2}61011` }))
      assert.deepEqual([fields[39], fields[4]], ['10', '000000001000'])
      assert.equal(fields[54], '0001784C0000000010000002784C000000000000')
    })

    test('an inquiry gets the balances', async () => {
      const card = await fundedCard(1_000n)
      await send(pay(card, 250n))
      const fields = await send(pay(card, 0n, { 3: '310000' }))
      assert.equal(fields[39], '00')
      assert.equal(fields[54], '0001784C0000000010000002784C000000000750')
    })
  })
}

test('an approval whose connection is gone does not stay held', async () => {
  const card = await fundedCard(1_000n)
  const { network, acquirer } = await openPort('ascii', async () => {
    acquirer.cut()
    while (network.connections() > 0) await turn()
  })
  acquirer.post(sale({ pan: card.pan, amount: 600n, fields: proofs(card) }))
  await acquirer.closed
  await network.close()
  const { data } = await ask('GET', `/v1/transactions?card_id=${card.id}`)
  assert.deepEqual([data[0].status_code, data[0].status], ['0000', 'VOIDED'])
  assert.deepEqual(await standing(card), [1_000n, 0n])
})

test('damaged messages of a real card are answered 30 and change nothing', async () => {
  const card = await fundedCard(100_000n)
  const { acquirer, dialect } = ports.ascii
  let submitted = 0
  for (let at = 0; at < 300; at += 1) {
    const message = sale({ pan: card.pan, amount: 100n, fields: proofs(card) })
    const bytes = encode(message, dialect)
    bytes[20 + ((at * 7) % (bytes.length - 20))] = at % 2 ? 0x07 : 0xff
    const decoded = decode(bytes, dialect)
    assert.equal(decoded.ok, false)
    // A message that decides nothing declines nothing (D-1033).
    const isTaken = decode(bytes, dialect, lenient).ok
    if (isTaken || (!decoded.ok && decoded.fault.read === null)) continue
    acquirer.raw(frame(bytes, 'binary2'))
    submitted += 1
  }
  for (let at = 0; at < submitted; at += 1) {
    const { fields } = await acquirer.next()
    assert.ok(['30', '14'].includes(fields[39] ?? ''), fields[39])
    assert.equal(fields[38], undefined)
  }
  assert.deepEqual(await standing(card), [100_000n, 0n])
})

test('no log line of all this names a card number', () => {
  const text = world.logged.join('\n')
  assert.match(text, /iso8583/)
  for (const pan of revealed) assert.ok(!text.includes(pan))
})
