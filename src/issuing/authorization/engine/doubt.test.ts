/** A COMMIT whose answer is lost (D-131, D-300, D-301). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { openDatabase } from '#kit/db/database.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { onEachNode, urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, requester } from '#test/support/world.ts'
import { createTenantFinder, Engine, OutcomeUnknown } from '../authorization.ts'
import { createNetworkPort } from '../port/port.ts'
import type { Submission } from './pending.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 4))
world.sweeper.start()

const tenant_id = world.tenant.id
/** Its requests are given up after a second in doubt, or never in this test. */
const impatient = new Engine({ ...world.services, db: far.db }, { answer_ms: 1_000 })
const patient = new Engine({ ...world.services, db: far.db }, { answer_ms: 60_000 })
keep({ close: () => Promise.all([patient.drain(), impatient.drain()]) })
const ask = (by: Engine, request: TestMessage) => by.submit(tenant_id, { request })

const standing = ({ account_id }: MadeCard) => issuer.account(account_id)
const unanswered = async () =>
  (await sql`select from unanswered_approvals`.execute(world.db)).rows.length
const booksAreInOrder = async () => assert.deepEqual(await auditLedger(world.db), [])
/** Reversed by the program itself, and nothing waits to be. */
const untilReversed = (card: MadeCard) =>
  until('it is reversed', async () => {
    const { held } = await standing(card)
    return held === 0 && (await unanswered()) === 0
  })

describe('a COMMIT that the server kept though its answer was lost', () => {
  test('is answered as it was decided', async () => {
    const card = await issuer.card(100)
    const messages = Array.from({ length: 5 }, () => purchase(card, 1_000n))
    const lost = proxy.lose('answer lost')
    const answers = await Promise.all(messages.map((message) => ask(patient, message)))
    await lost
    assert.ok(answers.every(({ approved, repeated }) => approved && !repeated))
    assert.deepEqual(await standing(card), { balance: 100, held: 50, available: 50 })
    const again = await Promise.all(messages.map((message) => ask(patient, message)))
    assert.ok(again.every(({ approved, repeated }) => approved && repeated))
    assert.equal((await standing(card)).held, 50)
    await booksAreInOrder()
  })
})

describe('a COMMIT that never came to the server', () => {
  test('is made good: the messages are decided again, once', async () => {
    const card = await issuer.card(100)
    const lost = proxy.lose('never sent')
    const [held, advised] = await Promise.all([
      ask(patient, purchase(card, 1_000n)),
      ask(patient, purchase(card, 500n, adviceOf)),
    ])
    await lost
    assert.deepEqual([held.approved, advised.approved], [true, true])
    assert.deepEqual(await standing(card), { balance: 100, held: 15, available: 85 })
    await booksAreInOrder()
  })
})

const adviceOf = { message_type: '0120', advised_approval: { approved: true } } as const

describe('a COMMIT that takes effect late', () => {
  test('leaves requests without an answer and is reversed; advices are answered', async () => {
    const [card, other] = [await issuer.card(100), await issuer.card(100)]
    const message = purchase(card, 1_000n)
    const debit = purchase(card, 700n, { message_type: '0200' })
    const lost = proxy.lose('held back')
    const rejected = [message, debit].map((one) =>
      assert.rejects(ask(impatient, one), OutcomeUnknown),
    )
    const advice = ask(impatient, purchase(card, 500n, adviceOf))
    const { deliver } = await lost
    // Another card is decided meanwhile, and a repeat is not answered either.
    assert.ok((await ask(impatient, purchase(other, 100n))).approved)
    await Promise.all([...rejected, assert.rejects(ask(impatient, message), OutcomeUnknown)])
    assert.equal((await standing(card)).held, 0)

    await deliver()
    assert.ok((await advice).approved)
    const held = await until('both are reversed', async () => {
      const { balance, held } = await standing(card)
      return balance === 100 && held === 5 && (await unanswered()) === 0 && held
    })
    assert.equal(held, 5)
    for (const one of [message, debit]) {
      assert.partialDeepStrictEqual(await ask(patient, one), {
        status_code: '1894',
        approved: false,
      })
    }
    await booksAreInOrder()
  })

  test('is waited for, so that no message is decided twice', async () => {
    const card = await issuer.card(100)
    const lost = proxy.lose('held back')
    const answer = ask(patient, purchase(card, 1_000n))
    const { deliver } = await lost
    const next = ask(patient, purchase(card, 200n))
    await deliver()
    assert.ok((await answer).approved)
    assert.ok((await next).approved)
    assert.deepEqual(await standing(card), { balance: 100, held: 12, available: 88 })
  })

  test('that never does leaves nothing: advices are decided again, requests never answered', async () => {
    const card = await issuer.card(100)
    const lost = proxy.lose('held back')
    const rejected = assert.rejects(ask(impatient, purchase(card, 1_000n)), OutcomeUnknown)
    const advice = ask(impatient, purchase(card, 500n, adviceOf))
    await lost
    await rejected
    await onEachNode(world.url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event = 'ClientRead'`),
    )
    assert.ok((await advice).approved)
    assert.deepEqual(await standing(card), { balance: 100, held: 5, available: 95 })
    assert.equal(await unanswered(), 0)
    await booksAreInOrder()
  })

  test('is reversed after the end of the process that waited for it', async () => {
    const card = await issuer.card(100)
    const dying = new Engine({ ...world.services, db: far.db }, { answer_ms: 50, drain_ms: 100 })
    const lost = proxy.lose('held back')
    const rejected = assert.rejects(ask(dying, purchase(card, 1_000n)), OutcomeUnknown)
    const { deliver } = await lost
    await rejected
    await deliver()
    await until(
      'it waits to be reversed',
      async () => (await unanswered()) > 0 || (await standing(card)).held === 0,
    )
    await dying.drain()
    await untilReversed(card)
  })
})

test('an engine that drains waits for what is in doubt no longer than its bound', async () => {
  const card = await issuer.card(100)
  const ending = new Engine({ ...world.services, db: far.db }, { drain_ms: 100 })
  const lost = proxy.lose('held back')
  const rejected = assert.rejects(ask(ending, purchase(card, 1_000n)), OutcomeUnknown)
  const { deliver } = await lost
  await ending.drain()
  await rejected
  await deliver()
  await assert.rejects(ask(ending, purchase(card, 100n)))
})

test('reversals of the network and our own of one approval give its money back once', async () => {
  const card = await issuer.card(100)
  const message = purchase(card, 1_000n, { message_type: '0200' })
  const lost = proxy.lose('held back')
  const rejected = assert.rejects(ask(impatient, message), OutcomeUnknown)
  const { deliver } = await lost
  await rejected
  const back = ask(impatient, about(message, { message_type: '0420' }))
  await deliver()
  await back
  await untilReversed(card)
  assert.deepEqual(await standing(card), { balance: 100, held: 0, available: 100 })
  await booksAreInOrder()
})

test('over the wire a request in doubt gets no answer, an advice its own when it is known', async () => {
  const card = await issuer.card(100)
  const { card_number: pan } = (await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)).body
  const errors: unknown[] = []
  const network = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    log: world.log,
    engine: {
      async submit(tenant, submission: Submission) {
        const answer = impatient.submit(tenant, submission)
        answer.catch((error: unknown) => errors.push(error))
        return answer
      },
      tenantOfPan: createTenantFinder(world.services),
    },
  })
  const { port } = await network.listen()
  const acquirer = await connectAcquirer({ port })
  try {
    await acquirer.signOn()
    const request = proxy.lose('held back')
    acquirer.post(sale({ pan, amount: 1_000n }))
    const first = await request
    await until('the request is given up', () => errors.length > 0)
    assert.ok(errors[0] instanceof OutcomeUnknown)
    await first.deliver()
    const rows = await until('it is reversed', async () => {
      const { data } = (await issuer.call('GET', `/v1/transactions?card_id=${card.card_id}`)).body
      return data.some(({ status }: { status: string }) => status === 'VOIDED') && data
    })
    assert.equal(rows.length, 1)

    const advice = proxy.lose('held back')
    const advised = acquirer.send(
      sale({ pan, amount: 500n, mti: '0120', fields: { 38: '778899', 39: '00' } }),
    )
    await (await advice).deliver()
    assert.equal((await advised).fields[39], '00')
    assert.equal((await standing(card)).held, 5)
    // Whatever else came is handed out before the answer to this.
    const unasked = acquirer.next()
    unasked.catch(() => {})
    acquirer.post({ mti: '0800', fields: { 7: '0101000000', 11: '000002', 33: '9', 70: '301' } })
    assert.equal((await unasked).mti, '0810')
  } finally {
    await acquirer.close()
    await network.close()
  }
})

test('over HTTP the outcome is waited for, then 503; a repeat under the key finds the truth', async () => {
  const card = await issuer.card(100)
  const { config, db, log, services } = world
  const program = assemble({ mode: sandbox, config, db, batches: far.db, keys: services.keys, log })
  await program.app.ready()
  const request = requester(program.app, world.tenant.api_key)
  const pay = (key: string) =>
    request(
      'POST',
      '/v1/simulate/authorizations',
      { card_id: card.card_id, amount: 10, currency: 'AED' },
      { headers: { 'x-bezant-idempotency-key': key } },
    )
  const lostAnswer = proxy.lose('answer lost')
  const first = await pay('lost')
  await lostAnswer
  assert.equal(first.status, 200, first.text)
  assert.deepEqual((await pay('lost')).body, first.body)

  const lost = proxy.lose('held back')
  const waiting = pay('late')
  const { deliver } = await lost
  assert.equal((await waiting).status, 503)
  await deliver()
  const found = await until('the repeat finds it', async () => {
    const answer = await pay('late')
    return answer.status === 200 && answer
  })
  assert.equal(found.body.amount, 10)
  assert.deepEqual((await pay('late')).body, found.body)
  assert.equal((await standing(card)).held, 20)
  await program.app.close()
  await program.engine.drain()
})
