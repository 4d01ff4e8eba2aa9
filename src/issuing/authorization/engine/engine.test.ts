import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { DatabaseUnavailable, openDatabase } from '#kit/db/database.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openWorld } from '#test/support/world.ts'
import { Engine, EngineOverloaded, type Submission } from '../authorization.ts'
import { OutcomeUnknown } from './errors.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { engine, services } = world
const second = keep(openSecondEngine(world))
const other = second.engine

const tenant_id = world.tenant.id
const ask = (request: TestMessage, by: Engine = engine, keep?: Submission['keep']) =>
  by.submit(tenant_id, { request, ...(keep && { keep }) })
const codes = (answers: readonly { status_code: string }[]) =>
  answers.map(({ status_code }) => status_code)
const rowsOf = (card_id: string) =>
  world.db.selectFrom('transactions').selectAll().where('card_id', '=', card_id).execute()
const booksAreInOrder = async () => assert.deepEqual(await auditLedger(world.db), [])

describe('a life of messages', () => {
  test('is written as it was decided', async () => {
    const { account_id, ...card } = await issuer.card(100)
    const first = purchase(card, 4_000n)
    const held = await ask(first)
    assert.partialDeepStrictEqual(held, { status_code: '0000', approved: true })
    assert.deepEqual(await issuer.account(account_id), { balance: 100, held: 40, available: 60 })
    await ask(about(first, { message_type: '0100', amount: 1_000n }))
    await ask(about(first, { message_type: '0220', amount: 3_000n }))
    assert.deepEqual(await issuer.account(account_id), { balance: 70, held: 20, available: 50 })
    await ask(about(first, { message_type: '0420', remaining_amount: 3_500n }))
    const refund = about(first, {
      message_type: '0200',
      processing_code: '200000',
      amount: 500n,
    })
    await ask(refund)
    assert.deepEqual(await issuer.account(account_id), { balance: 75, held: 5, available: 70 })
    await ask(about(refund, { message_type: '0400', reverse_amount: 200n }))

    const { body } = await issuer.call('GET', `/v1/transactions/${held.transaction_id}`)
    assert.partialDeepStrictEqual(body, {
      status: 'PENDING',
      amount: 35,
      cleared_amount: 30,
      refunded_amount: 3,
    })
    assert.deepEqual(
      body.events.map(({ type, amount }: { type: string; amount: number }) => [type, amount]),
      [
        ['AUTHORIZED', 40],
        ['INCREMENTED', 10],
        ['CLEARED', 30],
        ['REVERSED', 15],
        ['REFUNDED', 5],
        ['REFUND_REVERSED', 2],
      ],
    )
    await booksAreInOrder()
  })

  test('a reversal finds the original by DE90, and is remembered before it', async () => {
    const card = await issuer.card(100)
    const first = purchase(card, 4_000n)
    const early = await ask(about(first, { message_type: '0400' }))
    assert.deepEqual(codes([early, await ask(first)]), ['9114', '1894'])
    assert.equal((await issuer.account(card.account_id)).held, 0)
  })
})

describe('repeats', () => {
  test('racing in two processes and in one batch make one posting', async () => {
    const card = await issuer.card(1_000)
    const messages = Array.from({ length: 8 }, () => purchase(card, 100n, { message_type: '0200' }))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        messages.map((message) => ask(message, at % 2 === 0 ? engine : other)),
      ).flat(),
    )
    assert.equal(answers.filter(({ repeated }) => !repeated).length, messages.length)
    assert.equal(new Set(answers.map(({ transaction_id }) => transaction_id)).size, 8)
    for (const { repeated: _reported, answer_number: _counted, ...answer } of answers) {
      const same = answers.find((one) => one.transaction_id === answer.transaction_id)
      assert.partialDeepStrictEqual(same, answer)
    }
    assert.equal((await rowsOf(card.card_id)).length, 8)
    assert.equal((await issuer.account(card.account_id)).balance, 992)
    await booksAreInOrder()
  })

  test('of a card without an account, which nothing locks, are answered alike', async () => {
    const messages = Array.from({ length: 5 }, () => purchase(undefined, 100n))
    const answers = await Promise.all(
      messages.flatMap((message) => [
        ask(message),
        ask(message, other),
        ask(message),
        ask(message, other),
      ]),
    )
    assert.deepEqual(new Set(codes(answers)), new Set(['1018']))
    assert.equal(new Set(answers.map(({ transaction_id }) => transaction_id)).size, 5)
  })

  test('racing with the reversal of the same message leave nothing held', async () => {
    const card = await issuer.card(1_000)
    for (let round = 0; round < 10; round++) {
      const first = purchase(card, 100n)
      const back = about(first, { message_type: '0420' })
      await Promise.all([ask(first), ask(back, other), ask(first, other), ask(back)])
      assert.equal((await issuer.account(card.account_id)).held, 0)
    }
    await booksAreInOrder()
  })
})

describe('a batch', () => {
  test('of a hot account, served by two processes, pays out exactly what is there', async () => {
    const card = await issuer.card(200)
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        ask(purchase(card, 100n), at % 2 === 0 ? engine : other),
      ),
    )
    assert.equal(answers.filter(({ approved }) => approved).length, 200)
    assert.deepEqual(await issuer.account(card.account_id), {
      balance: 200,
      held: 200,
      available: 0,
    })
    await booksAreInOrder()
  })

  test('is not spoilt by a request that cannot be written', async () => {
    const card = await issuer.card(1_000)
    const fails = () => {
      throw new Error('planted')
    }
    const key = { key: 'poison', fingerprint: Buffer.alloc(32) }
    const answers = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => {
        // PostgreSQL takes no NUL in a text.
        if (at === 7) return ask(purchase(card, 100n, { rrn: '\u0000' }))
        if (at === 23) return ask(purchase(card, 100n), engine, { key, finish: fails })
        return ask(purchase(card, 100n))
      }),
    )
    const rejected = answers.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
    assert.deepEqual(rejected, [7, 23])
    assert.deepEqual(await issuer.account(card.account_id), {
      balance: 1_000,
      held: 38,
      available: 962,
    })
    assert.equal((await rowsOf(card.card_id)).length, 38)
    await booksAreInOrder()
  })

  test('that fails is taken apart once: each of its messages is decided alone', async () => {
    const tries: number[] = []
    const finished = { status: 200, content_type: 'application/json', body: '{}' }
    const countTries = (at: number) => () => {
      tries[at] = (tries[at] ?? 0) + 1
      return finished
    }
    const cards = await Promise.all(Array.from({ length: 16 }, () => issuer.card(10)))
    const answers = await Promise.allSettled(
      cards.map((card, at) => {
        // PostgreSQL takes no NUL in a text: the write fails, not what is read for it.
        const key = { key: at === 5 ? '\u0000' : `apart ${at}`, fingerprint: Buffer.alloc(32) }
        return ask(purchase(card, 100n), engine, { key, finish: countTries(at) })
      }),
    )
    const rejected = answers.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
    assert.deepEqual(rejected, [5])
    assert.deepEqual(new Set(tries), new Set([2]))
  })

  test('keeps tenants apart: a card of another is unknown', async () => {
    const otherIssuer = await openIssuer(world, await world.otherTenant())
    const card = await otherIssuer.card(100)
    assert.equal((await ask(purchase(card, 100n))).status_code, '1018')
    assert.equal((await otherIssuer.account(card.account_id)).held, 0)
    assert.deepEqual(
      codes([await engine.submit(otherIssuer.tenant.id, { request: purchase(card, 100n) })]),
      ['0000'],
    )
  })

  test('drain waits for everything that was submitted', async () => {
    const card = await issuer.card(1_000)
    let answered = 0
    for (let count = 0; count < 300; count++) {
      void ask(purchase(card, 100n)).then(() => {
        answered += 1
      })
    }
    await engine.drain()
    assert.equal(answered, 300)
  })
})

describe('an outage', () => {
  test('rejects with DatabaseUnavailable, keeps nothing half, and is over by itself', async () => {
    const card = await issuer.card(1_000)
    const proxy = await openProxy(await urlOfTenant(world.url, tenant_id))
    const { db, close } = openDatabase(proxy.url, 4)
    const far = new Engine({ ...services, db })
    try {
      assert.equal((await ask(purchase(card, 100n), far)).approved, true)
      const messages = Array.from({ length: 200 }, () => purchase(card, 100n))
      const answers = messages.map((message) => ask(message, far))
      const ends = Promise.allSettled(answers)
      await answers[0]
      proxy.cut()
      const settled = await ends
      for (const one of settled) {
        if (one.status === 'rejected') assert.ok(one.reason instanceof DatabaseUnavailable)
      }
      await assert.rejects(ask(purchase(card, 100n), far), DatabaseUnavailable)

      proxy.mend()
      const again = await Promise.all(messages.map((message) => ask(message, far)))
      // One whose outcome was not found in time is reversed once it is (D-301).
      const isReversed = (one: PromiseSettledResult<unknown> | undefined) =>
        one?.status === 'rejected' && one.reason instanceof OutcomeUnknown
      assert.ok(again.every(({ approved }, at) => approved || isReversed(settled[at])))
      await far.drain()
      const held = 1 + again.filter(({ approved }) => approved).length
      assert.deepEqual(await issuer.account(card.account_id), {
        balance: 1_000,
        held,
        available: 1_000 - held,
      })
      await booksAreInOrder()
    } finally {
      await close()
      await proxy.close()
    }
  })

  test('past the limit of its queue the engine fails at once', async () => {
    // A port where no process listens any more.
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    server.close()
    const port = typeof address === 'object' ? address?.port : 0
    const { db, close } = openDatabase(`postgresql://nobody@127.0.0.1:${port}/none`, 2)
    const down = new Engine({ ...services, db })
    const request = purchase(undefined, 100n)
    const answers = Array.from({ length: 50_000 }, () => down.submit(tenant_id, { request }))
    const settled = Promise.allSettled(answers)
    await assert.rejects(down.submit(tenant_id, { request }), EngineOverloaded)
    const rejections = await settled
    assert.ok(
      rejections.every(
        (one) => one.status === 'rejected' && one.reason instanceof DatabaseUnavailable,
      ),
    )
    await close()
  })
})
