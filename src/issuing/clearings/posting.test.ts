import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, nextArd, presentment } from '#test/support/clearing/clearing_file.ts'
import { about, purchase } from '#test/support/desk.ts'
import { effectOf } from '#test/support/inspection/effects.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)

const ask = (request: ReturnType<typeof purchase>) =>
  world.engine.submit(world.tenant.id, { request })

async function cardWith(balance: number) {
  const card = await issuer.card(balance)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  return { ...card, pan: String(body.card_number) }
}

const between = (records: readonly { kind: string }[]) => records.slice(1, -1)
const statesOf = (records: readonly { state: string; reason?: string }[]) =>
  between(records as never).map((one) => {
    const { state, reason } = one as never as { state: string; reason?: string }
    return reason === undefined ? state : `${state} ${reason}`
  })

describe('a presentment of a file', () => {
  test('posts its authorization by approval code and reference, once', async () => {
    const card = await cardWith(100)
    const first = purchase({ card_id: card.card_id }, 4_000n)
    const { approval_code = '', transaction_id } = await ask(first)
    const record = presentment(card.pan, 4_000n, { DE37: first.rrn ?? '', DE38: approval_code })
    const bytes = await clearingFile([record])
    const { id, records, file } = await clearer.clear(bytes)
    assert.deepEqual(statesOf(records), ['POSTED'])
    assert.equal(records[1].transaction_id, transaction_id)
    assert.equal(file.state, 'POSTED')
    assert.ok(!JSON.stringify(records).includes(card.pan))
    const after = { balance: 60, held: 0, available: 60 }
    assert.deepEqual(await issuer.account(card.account_id), after)

    const again = await clearer.upload(bytes)
    assert.deepEqual([again.body.id, again.body.known], [id, true])
    await world.sweeper.runDueJobs(world.tenant.id)
    assert.deepEqual(await issuer.account(card.account_id), after)
  })

  test('without an authorization is posted as 1857', async () => {
    const card = await cardWith(100)
    const record = presentment(card.pan, 1_500n, { DE37: 'NOBODY000001' })
    const { records } = await clearer.clear(await clearingFile([record]))
    assert.equal(records[1].status_code, '1857')
    assert.equal((await issuer.account(card.account_id)).balance, 85)
  })

  test('of the line and of a file posts once, whichever comes first', async () => {
    for (const order of ['line', 'file'] as const) {
      const card = await cardWith(100)
      const first = purchase({ card_id: card.card_id }, 2_000n)
      const { approval_code = '' } = await ask(first)
      const record = presentment(card.pan, 2_000n, { DE37: first.rrn ?? '', DE38: approval_code })
      const byLine = () => ask(about(first, { message_type: '0220' }))
      if (order === 'line') await byLine()
      const { records } = await clearer.clear(await clearingFile([record]))
      if (order === 'file') await byLine()
      assert.deepEqual(statesOf(records), ['POSTED'])
      assert.equal((await issuer.account(card.account_id)).balance, 80, order)
      // A second one of the line is another shipment.
      await ask(about(first, { message_type: '0220' }))
      assert.equal((await issuer.account(card.account_id)).balance, 60, order)
    }
  })

  test('is taken back by a reversal of the same reference data', async () => {
    const card = await cardWith(100)
    const ard = nextArd()
    const record = presentment(card.pan, 3_000n, { DE31: ard, DE37: 'REVERSED0001' })
    const reversal = { ...record, PDS0025: 'R261128' }
    const { records } = await clearer.clear(await clearingFile([record, reversal]))
    assert.deepEqual(statesOf(records), ['POSTED', 'POSTED'])
    assert.equal((await issuer.account(card.account_id)).balance, 100)
    assert.deepEqual([records[1].reversed, records[2].reversed], [true, false])
  })

  test('is taken back in part by a reversal of a part', async () => {
    const card = await cardWith(100)
    const record = presentment(card.pan, 3_000n, { DE31: nextArd() })
    const reversal = { ...record, DE4: '000000001000', PDS0025: 'R261128' }
    const { records } = await clearer.clear(await clearingFile([record, reversal]))
    assert.deepEqual(statesOf(records), ['POSTED', 'POSTED'])
    assert.equal((await issuer.account(card.account_id)).balance, 80)
  })

  test('credits a refund, and is billed in the currency of the account', async () => {
    const card = await cardWith(100)
    const refund = presentment(card.pan, 1_000n, { DE3: '200000' })
    const abroad = presentment(card.pan, 1_000n, {
      ...{ DE49: '840', DE6: '000000003673', DE51: '784', PDS0148: '84027842' },
    })
    const { records } = await clearer.clear(await clearingFile([refund, abroad]))
    assert.deepEqual(statesOf(records), ['POSTED', 'POSTED'])
    assert.equal((await issuer.account(card.account_id)).balance, 73.27)
  })
})

describe('what cannot be posted', () => {
  test('waits in suspense, and is resolved once', async () => {
    const card = await cardWith(100)
    const unknown = presentment(`${card.pan.slice(0, 12)}0000`, 2_500n)
    const ard = nextArd()
    const twice = presentment(card.pan, 700n, { DE31: ard })
    const early = { ...presentment(card.pan, 900n), PDS0025: 'R261128' }
    const fee = { ...presentment(card.pan, 350n), MTI: '1740', DE24: '700', DE3: '190000' }
    const dispute = presentment(card.pan, 800n, { DE24: '205' })
    const records = [unknown, twice, twice, early, fee, dispute]
    const { id, records: found } = await clearer.clear(await clearingFile(records))
    assert.deepEqual(statesOf(found), [
      'SUSPENDED UNKNOWN_CARD',
      'POSTED',
      'SUSPENDED DUPLICATE',
      'SUSPENDED NO_ORIGINAL',
      'BOOKED',
      'SUSPENDED DISPUTE',
    ])
    const { card_id } = card
    const posted = await clearer.resolve(id, 2, { action: 'POST', card_id, note: 'renumbered' })
    assert.partialDeepStrictEqual(posted.body, { state: 'RESOLVED', resolution: 'POSTED', card_id })
    assert.equal((await issuer.account(card.account_id)).balance, 100 - 7 - 25)
    const other = await clearer.resolve(id, 2, { action: 'RETURN', note: 'again' })
    assert.deepEqual([other.status, other.body.code], [409, 'record_not_suspended'])
    for (const [number, action] of [
      [4, 'RETURN'],
      [5, 'WRITE_OFF'],
    ]) {
      const { status } = await clearer.resolve(id, Number(number), { action, note: 'decided' })
      assert.equal(status, 200)
    }
    const refused = await clearer.resolve(id, 7, { action: 'POST', note: 'no presentment' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'record_not_postable'])
  })

  test('is resolved once under an idempotency key, which repeats its answer', async () => {
    const card = await cardWith(100)
    const unknown = presentment(`${card.pan.slice(0, 12)}0000`, 2_500n)
    const { id } = await clearer.clear(await clearingFile([unknown, unknown]))
    const { card_id } = card
    for (const [number, body] of [
      [2, { action: 'POST', card_id, note: 'renumbered' }],
      [3, { action: 'RETURN', note: 'decided' }],
    ] as const) {
      const headers = { 'idempotency-key': randomUUID() }
      const first = await clearer.resolve(id, number, body, headers)
      assert.deepEqual([first.status, first.body.state], [200, 'RESOLVED'])
      const again = await clearer.resolve(id, number, body, headers)
      assert.deepEqual([again.status, again.text], [200, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
    assert.equal((await issuer.account(card.account_id)).balance, 100 - 25)
    const headers = { 'idempotency-key': randomUUID() }
    const other = await clearer.resolve(id, 3, { action: 'RETURN', note: 'again' }, headers)
    assert.deepEqual([other.status, other.body.code], [409, 'record_not_suspended'])
  })

  test('is resolved by one of many requests at once, and moves its money once', async () => {
    const card = await cardWith(100)
    const { card_id } = card
    const unknown = presentment(`${card.pan.slice(0, 12)}0000`, 2_500n)
    const { id } = await clearer.clear(await clearingFile([unknown]))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => {
        const body = at % 2 === 0 ? { action: 'POST', card_id } : { action: 'RETURN' }
        return clearer.resolve(id, 2, { ...body, note: 'decided' })
      }),
    )
    const [done, ...others] = answers.sort((one, other) => one.status - other.status)
    assert.equal(done?.status, 200, done?.text)
    const codes = others.map(({ status, body }) => `${status} ${body.code}`)
    assert.deepEqual(new Set(codes), new Set(['409 record_not_suspended']))
    const posted = done?.body.resolution === 'POSTED' ? 25 : 0
    assert.equal((await issuer.account(card.account_id)).balance, 100 - posted)
  })

  test('stays in suspense when its posting is refused, which leaves only the answer', async () => {
    const card = await cardWith(100)
    const unknown = presentment(`${card.pan.slice(0, 12)}0000`, 2_500n)
    const { id } = await clearer.clear(await clearingFile([unknown]))
    const nobodys = { action: 'POST', card_id: randomUUID(), note: 'renumbered' }
    const headers = { 'idempotency-key': randomUUID() }
    const effect = await effectOf(world.db, async () => {
      const refused = await clearer.resolve(id, 2, nobodys, headers)
      assert.equal(refused.status, 409, refused.text)
      const { code, status_code } = refused.body
      assert.deepEqual([code, status_code], ['record_not_postable', '1018'])
      assert.equal((await clearer.resolve(id, 2, nobodys, headers)).text, refused.text)
    })
    assert.deepEqual(effect, { 'public.idempotency_keys': 1 })
    const done = await clearer.resolve(id, 2, { ...nobodys, card_id: card.card_id })
    assert.equal(done.status, 200, done.text)
    assert.equal((await issuer.account(card.account_id)).balance, 75)
  })

  test('keeps the books of every file in order', async () => {
    await assertSound(world.db)
  })
})
