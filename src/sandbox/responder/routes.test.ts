/** A tenant that answers the questions to its responder by calls (D-510). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { deleteOldQuestions } from '#sandbox/responder/store.ts'
import { purchase } from '#test/support/desk.ts'
import { type Issuer, openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { createListener } from './listener.ts'

const world = await openWorld()
const second = openSecondEngine(world)
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})

/** The rounds of the race between an answer and the deadline, which is later in each. */
const ROUNDS = process.env['TEST_DEEP'] === '1' ? 100 : 30
/** The most rounds, if the machine has so much other work that every deadline before was missed. */
const ROUNDS_MAX = 250

const PATH = '/v1/simulate/responderrequests'
type Question = { id: string; transaction: Record<string, unknown>; deadline: string }

/** A tenant of its own, which listens. */
async function openBank(fields: object = {}) {
  const bank = await openIssuer(world, await world.otherTenant({ pci_compliant: true }))
  const responder = { listener: true, timeout_ms: 3000, ...fields }
  const { status, body, text } = await bank.call('PUT', '/v1/tenantsettings', { responder })
  assert.equal(status, 200, text)
  assert.equal(body.responder.secret, undefined, 'nothing is signed')
  return {
    ...bank,
    pay: async (card_id: string, more: object = {}) => {
      const request = { card_id, amount: 100, currency: 'AED', ...more }
      return (await bank.call('POST', '/v1/simulate/authorizations', request)).body
    },
    listen: async (query = 'wait=20'): Promise<Question[]> => {
      const answer = await bank.call('GET', `${PATH}?${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data
    },
    answer: (id: string, body: object = { approved: true }) =>
      bank.call('POST', `${PATH}/${id}:answer`, body),
    traced: (id: string) => tracedAt(bank, id),
  }
}
type Bank = Awaited<ReturnType<typeof openBank>>

async function tracedAt({ call }: Issuer, id: string): Promise<string> {
  const { checks } = (await call('GET', `/v1/transactions/${id}/trace`)).body
  return checks.find(({ check }: { check: string }) => check === 'responder')?.detail
}

/** Waits for one question. */
async function nextOf({ listen }: Bank): Promise<Question> {
  const [question, ...others] = await listen()
  assert.ok(question)
  assert.equal(others.length, 0)
  return question
}

const millisecondsIn = (detail: string) => Number(/after (\d+) ms$/.exec(detail)?.[1])

describe('a listener', () => {
  test('gets the transaction as a URL would, and approves, declines or lowers it', async () => {
    const bank = await openBank()
    const card = await bank.card(500, { partial_approval: true })
    const cases: [answer: object, code: string, amount: number, detail: RegExp][] = [
      [{ approved: true }, '0000', 100, /^approved, listener after \d+ ms$/],
      [{ approved: false }, '1851', 100, /^declined, listener after \d+ ms$/],
      [{ approved: true, amount: '60.50' }, '0002', 60.5, /^approved 6050 of 10000, listener/],
      [{ approved: true, amount: 100 }, '0000', 100, /^approved, listener/],
    ]
    for (const [answer, code, amount, detail] of cases) {
      const paying = bank.pay(card.card_id, { partial_approval: true })
      const { id, transaction, deadline } = await nextOf(bank)
      assert.partialDeepStrictEqual(transaction, {
        id,
        ...card,
        message_type: '0100',
        status: 'PENDING',
        events: [],
        amount: 100,
        currency: 'AED',
      })
      assert.ok(Math.abs(Date.parse(deadline) - Date.now()) < 60_000)
      const answered = await bank.answer(id, answer)
      assert.deepEqual([answered.status, answered.body], [200, { id, ...answer }])
      const paid = await paying
      assert.deepEqual([paid.id, paid.status_code, paid.amount], [id, code, amount])
      const traced = await bank.traced(id)
      assert.match(traced, detail)
      assert.ok(millisecondsIn(traced) < 3000, 'the answer is used before the deadline')
    }
    assert.deepEqual(await bank.listen('wait=0'), [])
  })

  test('waits for the first question, and leaves out those that it already has', async () => {
    const bank = await openBank()
    const [card, other] = [await bank.card(500), await bank.card(500)]
    const waiting = bank.listen()
    const paying = bank.pay(card.card_id)
    const [first] = await waiting
    assert.ok(first)
    assert.deepEqual(await bank.listen(`wait=1&except=${first.id.toUpperCase()}`), [])
    const next = bank.listen(`wait=20&except=${first.id}&except=${newId()}`)
    const also = bank.pay(other.card_id)
    const [later] = await next
    assert.equal(later?.transaction['card_id'], other.card_id)
    const both = await bank.listen()
    assert.deepEqual(both.map(({ id }) => id).sort(), [first.id, later?.id].sort())
    for (const { id } of both) await bank.answer(id)
    assert.equal((await paying).status_code, '0000')
    assert.equal((await also).status_code, '0000')
  })

  test('gives one answer: a second and an unknown one fail', async () => {
    const bank = await openBank()
    const { card_id } = await bank.card(500)
    const paying = bank.pay(card_id)
    const { id } = await nextOf(bank)
    const wrong = await bank.answer(id, { approved: true, amount: 0.001 })
    assert.equal(wrong.status, 400)
    assert.deepEqual(wrong.body.errors[0].path, 'amount')
    const answers = await Promise.all(Array.from({ length: 8 }, () => bank.answer(id)))
    const codes = answers.map(({ status, body }) => body.code ?? status).sort()
    assert.deepEqual(codes, [200, ...Array(7).fill('question_answered')])
    await paying
    assert.equal((await bank.answer(newId())).status, 404)
    const stranger = await openBank()
    assert.equal((await stranger.answer(id)).status, 404)
    assert.deepEqual(await stranger.listen('wait=0'), [])
  })

  test('that answers late gets an error, and the default action has decided', async () => {
    const bank = await openBank({ timeout_ms: 500, default_action: 'APPROVE' })
    const late = await bank.pay((await bank.card(500)).card_id)
    assert.equal(late.status_code, '0000')
    const traced = await bank.traced(late.id)
    assert.match(traced, /^APPROVE by default: timeout after \d+ ms$/)
    assert.ok(millisecondsIn(traced) >= 500, traced)
    const refused = await bank.answer(late.id, { approved: false })
    assert.deepEqual([refused.status, refused.body.code], [409, 'question_overdue'])
  })

  test('that does not answer five times is not asked for a while', async () => {
    const bank = await openBank({ timeout_ms: 500 })
    const cards = await Promise.all(Array.from({ length: 6 }, () => bank.card(500)))
    const [last, ...others] = cards
    const paid = await Promise.all(others.map(({ card_id }) => bank.pay(card_id)))
    assert.deepEqual(
      paid.map(({ status_code }) => status_code),
      Array(5).fill('1852'),
    )
    const { id } = await bank.pay(last?.card_id ?? '')
    assert.match(await bank.traced(id), /^DECLINE by default: breaker open after \d+ ms$/)
  })

  test('answers the questions of another process, also where no notification arrives', async () => {
    const bank = await openBank({ timeout_ms: 1500 })
    const { card_id } = await bank.card(500)
    const request = purchase({ card_id }, 10_000n)
    const deciding = second.engine.submit(bank.tenant.id, { request })
    const { id } = await nextOf(bank)
    assert.equal((await bank.answer(id, { approved: false })).status, 200)
    const { status_code, transaction_id } = await deciding
    assert.deepEqual([transaction_id, status_code], [id, '1851'])
    const traced = await bank.traced(id)
    assert.match(traced, /^declined, listener after \d+ ms$/)
    assert.ok(millisecondsIn(traced) >= 1500, 'it is found at the deadline')
  })
})

test('an answer is accepted exactly where the process that asks uses it', async () => {
  const bank = await openBank()
  const { db } = world.services
  // It hears of no answer: it ends each question while an answer comes in.
  const listener = createListener({ db, notify() {} })
  const { card_id } = await bank.card(500)
  const transaction = JSON.stringify({ id: newId(), card_id, currency: 'AED' })
  const ends: [status: number, kind: string][] = []
  const accepted = () => ends.filter(([status]) => status === 200).length
  const goesOn = (round: number) => round < (accepted() > 0 ? ROUNDS : ROUNDS_MAX)
  for (let round = 0; goesOn(round); round += 1) {
    const id = newId()
    const question = { tenant_id: bank.tenant.id, id, body: transaction }
    const asking = listener.ask({ ...question, timeout_ms: 4 * round })
    const { status } = await until('a question', async () => {
      const answer = await bank.answer(id)
      return answer.status !== 404 && answer
    })
    ends.push([status, (await asking).kind])
  }
  for (const [status, kind] of ends) assert.equal(kind, status === 200 ? 'answered' : 'unanswered')
  assert.ok(accepted() > 0, 'no answer was accepted')
})

test('questions are kept for a minute after their deadline', async () => {
  const bank = await openBank({ timeout_ms: 500 })
  const { card_id } = await bank.card(500)
  const { id: first } = await bank.pay(card_id)
  const { id: other } = await bank.pay(card_id)
  const kept = async () => {
    const rows = await world.db.selectFrom('sandbox_responder_requests').select('id').execute()
    return [first, other].filter((id) => rows.some((row) => row.id === id))
  }
  const age = (id: string) =>
    world.db
      .updateTable('sandbox_responder_requests')
      .set({ deadline: new Date(Date.now() - 90_000) })
      .where('id', '=', id)
      .execute()
  assert.deepEqual(await kept(), [first, other])
  await age(first)
  await bank.pay(card_id)
  assert.deepEqual(await kept(), [other])
  await age(other)
  await deleteOldQuestions(world.services.db.overAllTenants())
  assert.deepEqual(await kept(), [])
})

test('calls that wait end when the program stops', async () => {
  const bank = await openBank()
  const waiting = bank.listen('wait=30')
  await world.sweeper.stop()
  assert.deepEqual(await waiting, [])
})
