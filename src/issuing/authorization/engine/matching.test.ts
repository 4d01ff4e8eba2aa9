/** Messages under one DE7, DE11 and DE32, on a database and in two processes (D-310 to D-312). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { Secret } from '#lib/secret.ts'
import { about, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import type { Engine } from '../authorization.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const second = keep(openSecondEngine(world))
const other = second.engine

const ask = (request: TestMessage, by: Engine = world.engine) =>
  by.submit(world.tenant.id, { request })
const codes = (answers: readonly { status_code: string }[]) =>
  answers.map(({ status_code }) => status_code)
const held = async ({ account_id }: { account_id: string }) =>
  (await issuer.account(account_id)).held
/** The same DE7, DE11 and DE32 as another message, on another card or with another DE37. */
const twin = (first: TestMessage, card: { card_id: string }, rrn: string) =>
  purchase(card, first.amount, {
    rrn,
    original: { rrn },
    duplicate_key: `${nameOf(first)}|${rrn}`,
  })

test('a reversal of a part that comes before its advice leaves the rest to be presented', async () => {
  const card = await issuer.card(100)
  const first = purchase(card, 1_000n)
  const { rrn = '' } = first
  const approval_code = '778899'
  const part = about(first, { message_type: '0420', remaining_amount: 600n })
  const advice = about(first, {
    message_type: '0120',
    original: { rrn },
    advised_approval: { approved: true, approval_code },
  })
  const presentment = about(first, {
    message_type: '0220',
    amount: 600n,
    original: { rrn, approval_code },
  })
  assert.deepEqual(codes([await ask(part, other), await ask(advice)]), ['9114', '0000'])
  assert.equal(await held(card), 6)
  assert.equal((await ask(presentment, other)).status_code, '0000')
  const { balance, held: rest } = await issuer.account(card.account_id)
  assert.deepEqual([balance, rest], [94, 0])
  await assertSound(world.db)
})

test('a completion and a reversal with another DE37 and DE90 are of the approval of DE38', async () => {
  const card = await issuer.card(100)
  const first = purchase(card, 1_000n)
  const { approval_code = '', transaction_id } = await ask(first)
  const later = (message_type: '0220' | '0420', amount: bigint) => {
    const message = purchase(card, amount, { message_type })
    const original = { rrn: message.rrn ?? '', approval_code, message_key: '0100|1|0612100000|7' }
    return { ...message, original }
  }
  const reversed = await ask(later('0420', 300n), other)
  assert.deepEqual([reversed.status_code, reversed.transaction_id], ['0000', transaction_id])
  assert.equal(await held(card), 7)
  assert.equal((await ask(later('0220', 700n))).transaction_id, transaction_id)
  const { balance, held: rest } = await issuer.account(card.account_id)
  assert.deepEqual([balance, rest], [93, 0])
  await assertSound(world.db)
})

test('zeros in the acquirer part of DE90 match the message of any acquirer', async () => {
  const card = await issuer.card(100)
  const first = purchase(card, 1_000n)
  const message_key = nameOf(first).replace(/[^|]*$/, '')
  const completion = about(first, { message_type: '0220' })
  await ask(first)
  await ask(completion, other)
  const named = nameOf(completion).replace(/[^|]*$/, '')
  const taken = about(first, { message_type: '0420', original: { message_key: named } })
  assert.equal((await ask(taken)).status_code, '0000')
  assert.equal(await held(card), 10)
  const again = about(first, {
    message_type: '0420',
    original: { message_key: nameOf(completion) },
  })
  assert.equal((await ask(again, other)).status_code, '1894')
  const reversal = about(first, { message_type: '0420', original: { message_key, rrn: 'OTHER' } })
  assert.equal((await ask(reversal, other)).status_code, '0000')
  assert.equal(await held(card), 0)
  await assertSound(world.db)
})

test('a reversal of a part that comes before its completion leaves the rest posted', async () => {
  for (const [stays, money] of [
    [600n, { balance: 94, held: 4 }],
    [1_000n, { balance: 90, held: 0 }],
  ] as const) {
    const card = await issuer.card(100)
    const first = purchase(card, 1_000n)
    const completion = about(first, { message_type: '0220' })
    const part = about(completion, { message_type: '0420', remaining_amount: stays })
    assert.deepEqual(codes([await ask(first), await ask(part, other)]), ['0000', '9114'])
    const [answer, again] = [await ask(completion), await ask(completion, other)]
    assert.deepEqual(codes([answer, again]), ['0000', '0000'])
    assert.partialDeepStrictEqual(await issuer.account(card.account_id), money)
  }
  const card = await issuer.card(100)
  const alone = purchase(card, 1_000n, { message_type: '0220' })
  await ask(about(alone, { message_type: '0420', remaining_amount: 600n }), other)
  assert.equal((await ask(alone)).status_code, '1857')
  assert.equal((await issuer.account(card.account_id)).balance, 94)
  await assertSound(world.db)
})

describe('two cards under one DE90', () => {
  test('each message is reversed by its own reversal', async () => {
    const [one, two] = [await issuer.card(100), await issuer.card(100)]
    const first = purchase(one, 1_000n)
    const foreign = twin(first, two, 'ZZZZZZZZZZZZ')
    assert.deepEqual(codes([await ask(first), await ask(foreign, other)]), ['0000', '0000'])
    assert.equal((await ask(about(first, { message_type: '0400' }))).status_code, '0000')
    assert.deepEqual([await held(one), await held(two)], [0, 10])
    assert.equal((await ask(about(foreign, { message_type: '0420' }))).status_code, '0000')
    assert.equal(await held(two), 0)
  })

  test('an early reversal declines its own message and no other', async () => {
    const [one, two] = [await issuer.card(100), await issuer.card(100)]
    const first = purchase(one, 1_000n)
    await ask(about(first, { message_type: '0400' }))
    const answers = [await ask(twin(first, two, 'ZZZZZZZZZZZZ'), other), await ask(first)]
    assert.deepEqual(codes(answers), ['0000', '1894'])
    assert.deepEqual([await held(one), await held(two)], [0, 10])
  })

  test('however many foreign messages there are, a message is found by its retrieval reference', async () => {
    const [one, two] = [await issuer.card(100), await issuer.card(1_000)]
    const first = purchase(one, 1_000n, { rrn: 'ZZZZZZZZZZZZ' })
    await ask(first)
    const foreignMessages = Array.from({ length: 60 }, (_, at) =>
      twin(first, two, `A${String(at).padStart(11, '0')}`),
    )
    await Promise.all(foreignMessages.map((message) => ask(message)))
    assert.equal((await ask(about(first, { message_type: '0420' }))).status_code, '0000')
    assert.deepEqual([await held(one), await held(two)], [0, 600])
  })
})

describe('a key with other contents', () => {
  test('raced by two cards in two processes is approved for one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await issuer.card(100), await issuer.card(100)]
      const first = purchase(one, 1_000n)
      const { card } = purchase(two, 1n)
      const answers = await Promise.all([ask(first), ask({ ...first, card }, other)])
      assert.deepEqual(codes(answers).toSorted(), ['0000', '9104'])
      const wrong = answers.find(({ status_code }) => status_code === '9104')
      assert.equal(wrong?.approval_code, undefined)
      assert.equal((await held(one)) + (await held(two)), 10)
    }
    assert.deepEqual(await auditLedger(world.db), [])
  })

  test('with another amount is 9104, and the first is answered again as it was', async () => {
    const card = await issuer.card(100)
    const first = purchase(card, 1_000n)
    const answer = await ask(first)
    const wrong = await ask({ ...first, amount: 2_000n })
    assert.partialDeepStrictEqual(wrong, { status_code: '9104', approved: false, amount: 0n })
    const { body } = await issuer.call('GET', `/v1/transactions/${wrong.transaction_id}`)
    assert.partialDeepStrictEqual(body, { status: 'DECLINED', status_code: '9104', amount: 20 })
    const again = { ...answer, repeated: true, answer_number: 2 }
    assert.deepEqual(await ask(first, other), again)
    assert.equal(await held(card), 10)
  })

  test('a stored message holds nothing of which the card number could be found again', async () => {
    const { card_id } = await issuer.card(100)
    const { card_number } = (await issuer.call('GET', `/v1/cards/${card_id}:reveal`)).body
    const unknown = '4539578763621486'
    for (const [number, status_code] of [
      [card_number, '0000'],
      [unknown, '1018'],
    ]) {
      const message = { ...purchase({ card_id }, 1_000n), card: { pan: new Secret(number) } }
      assert.equal((await ask(message)).status_code, status_code)
      const { rows } = await sql<{ row: string; fingerprint: string }>`
        select details -> 'message' ->> 'fingerprint' as fingerprint, t::text as row
        from transactions t where message_key = ${message.duplicate_key}`.execute(world.db)
      assert.equal(rows.length, 1)
      assert.equal(rows[0]?.row.includes(number), false)
      const keyed = world.services.keys.digest('lookup', `message ${number}|1000|AED|000000`)
      // The fingerprint of a known card is made from the card's id.
      assert.equal(rows[0]?.fingerprint === keyed.toString('hex'), number === unknown)
    }
  })
})

test('two reversals of one completion with references of their own take it back once', async () => {
  const card = await issuer.card(100)
  const first = purchase(card, 10_000n)
  await ask(first)
  const [one, two] = [1, 2].map(() => about(first, { message_type: '0220', amount: 4_000n }))
  assert.ok(one && two)
  for (const completion of [one, two]) assert.equal((await ask(completion)).status_code, '0000')
  const reversals = ['AAAAAAAAAAAA', 'BBBBBBBBBBBB'].map((rrn) =>
    about(one, { message_type: '0420', original: { message_key: nameOf(one), rrn } }),
  )
  const answers = []
  for (const reversal of reversals) answers.push(await ask(reversal))
  assert.deepEqual(codes(answers), ['0000', '1894'])
  const { balance, held } = await issuer.account(card.account_id)
  assert.deepEqual([balance, held], [60, 60])
})
