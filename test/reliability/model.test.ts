/**
 * Random sequences of payments, follow-ups, loads and changes of limits and lists against a
 * reference of one thread. A quarter of the sequences, each with --deep, ends in
 * branches that run at once in two processes; some order of theirs must explain every answer and all
 * that is left. Replay with SEED=…; 10,000 sequences with --deep.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { SEED } from '#test/support/chances.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import {
  atLeastNone,
  BALANCE_MAX,
  BLOCKED_MCC,
  CardModel,
  type Command,
  FIRST_SUM_MAX,
  FREQUENCY,
  OPENING,
  REMAINS,
  TRANSACTION_MAX,
} from '#test/support/network/card_model.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const deep = process.env['TEST_DEEP'] === '1'
const SEQUENCES = deep ? 10_000 : 200
/** Sequences that run at one time, each on cards of its own. */
const AT_ONCE = 4
const LONGEST = 10
const BRANCHES = { minLength: 2, maxLength: 4 }
const LONGEST_BRANCH = 3
/** The number of simultaneous sequences that end in branches: at least 50 in all. */
const BRANCHED = deep ? AT_ONCE : 1

const world = await openWorld()
const second = openSecondEngine(world)
const engines = [world.engine, second.engine] as const
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)

const major = (amount: bigint) => Number(amount) / 100

async function made(method: string, path: string, body: object) {
  const answer = await issuer.call(method, path, body)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.body
}

const link = (path: string, id: string) => made('POST', `/v1/${path}:link`, { ids: [id] })

/** A product all of whose accounts have these limits. */
async function makeProduct(limits: { balance: object; transaction?: object }): Promise<string> {
  const product = { name: 'Model', currency: 'AED', bin: freshBin() }
  const { id } = await made('POST', '/v1/cardproducts', {
    ...product,
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const { balance, transaction } = limits
  await linkLimit(issuer, 'balancelimits', `cardproducts/${id}`, {
    type: 'PER_ACCOUNT',
    ...balance,
  })
  if (transaction) {
    const single = { type: 'PER_TRANSACTION', ...transaction }
    await linkLimit(issuer, 'velocitylimits', `cardproducts/${id}`, single)
  }
  return id
}
const products = [
  await makeProduct({
    balance: { min_amount: major(REMAINS) },
    transaction: { max_amount: major(TRANSACTION_MAX) },
  }),
  await makeProduct({ balance: { max_amount: major(BALANCE_MAX) } }),
] as const

/** The cards, accounts, limits and list of one sequence, as the model has them at first. */
type Subject = { cards: { card_id: string }[]; accounts: string[]; list: string; limit: string }

async function makeSubject(): Promise<Subject> {
  const name = { first_name: 'Aisha', last_name: 'Khan' }
  const games = { name: 'No games', mccs: [BLOCKED_MCC], allow: false }
  const [user, list, limit] = await Promise.all([
    made('POST', '/v1/users', name),
    made('POST', '/v1/allowedmccs', games),
    made('POST', '/v1/velocitylimits', {
      type: 'CUMULATIVE',
      currency: 'AED',
      max_amount: major(FIRST_SUM_MAX),
      frequency: FREQUENCY,
      period: 'LIFETIME',
    }),
  ])
  const issue = (card_product_id: string, account_id?: string) =>
    made('POST', '/v1/cards', {
      user_id: user.id,
      card_product_id,
      card_type: 'VIRTUAL',
      account_id,
    })
  const [first, other] = await Promise.all([issue(products[0]), issue(products[1])])
  const listed = await issue(products[0], first.account_id)
  const accounts: string[] = [first.account_id, other.account_id]
  await Promise.all([
    made('PUT', `/v1/cards/${listed.id}/authsettings`, { allowed_mccs_id: list.id }),
    link(`users/${user.id}/velocitylimits`, limit.id),
    ...accounts.map((id, at) => {
      const money = { currency: 'AED', amount: major(OPENING[at === 0 ? 0 : 1]) }
      return made('POST', `/v1/accounts/${id}:loadfunds`, money)
    }),
  ])
  const cards = [first, listed, other].map(({ id }) => ({ card_id: id }))
  return { cards, accounts, list: list.id, limit: limit.id }
}

const amount = fc.constantFrom(1n, 1_000n, 10_000n, 10_000n, 15_000n, 30_000n, 45_000n)
const card = fc.constantFrom(0 as const, 1 as const, 2 as const)
const account = fc.constantFrom(0 as const, 1 as const)
const doing = <Name extends string>(name: Name) => fc.constant(name)
/** `of` is taken modulo the payments that were made before. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: doing('pay'),
      card,
      amount,
      isBlockedMcc: fc.nat(3).map((one) => one === 0),
      isSingle: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('raise', 'complete', 'refund'),
      of: fc.nat(),
      amount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: doing('reverse'), of: fc.nat(), part: fc.option(amount) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('load', 'unload'), account, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend', 'activate'), card }) },
  { weight: 1, arbitrary: fc.record({ do: doing('list'), active: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: doing('limit'), sum: fc.constantFrom(30_000n, 90_000n, 200_000n) }),
  },
) as fc.Arbitrary<Command>

type Numbered = { at: number; command: Command }

/** Follow-ups get a payment that is about a shop that the list lets pass; else they are left out. */
function numbered(command: Command, at: number, payable: readonly number[]): Numbered[] {
  if (!('of' in command)) return [{ at, command }]
  const of = payable[command.of % payable.length]
  return of === undefined ? [] : [{ at, command: { ...command, of } }]
}

const opens = ({ command }: Numbered) => command.do === 'pay' && !command.isBlockedMcc

class Run {
  readonly #subject: Subject
  readonly #sent = new Map<number, TestMessage>()

  constructor(subject: Subject) {
    this.#subject = subject
  }

  /** Sends it to one of the processes; returns the answer as the model has it. */
  async answer({ at, command }: Numbered, process: number): Promise<string> {
    const { cards, accounts, list, limit } = this.#subject
    const call = async (method: string, path: string, body: object) => {
      const { status, text } = await issuer.call(method, path, body)
      assert.ok(status === 200 || status === 409, text)
      return String(status)
    }
    switch (command.do) {
      case 'load':
      case 'unload': {
        const money = { currency: 'AED', amount: major(command.amount) }
        return call('POST', `/v1/accounts/${accounts[command.account]}:${command.do}funds`, money)
      }
      case 'suspend':
      case 'activate': {
        const isSuspended = command.do === 'suspend'
        const status = isSuspended ? 'SUSPENDED' : 'ACTIVE'
        const reason = { status, status_reason_code: isSuspended ? 'S0' : 'A0' }
        await call('PUT', `/v1/cards/${cards[command.card]?.card_id}:statuschange`, reason)
        // A card that has the status already is answered 409.
        return '200'
      }
      case 'list':
        return call('PUT', `/v1/allowedmccs/${list}`, { active: command.active })
      case 'limit':
        return call('PUT', `/v1/velocitylimits/${limit}`, { max_amount: major(command.sum) })
      default: {
        const request = this.#message(at, command)
        const engine = engines[process % 2 === 0 ? 0 : 1]
        return (await engine.submit(issuer.tenant.id, { request })).status_code
      }
    }
  }

  #message(at: number, command: Exclude<Command, { do: 'load' | 'suspend' | 'list' | 'limit' }>) {
    const message = this.#made(command)
    this.#sent.set(at, message)
    return message
  }

  #made(command: Command): TestMessage {
    if (command.do === 'pay') {
      const { amount, isSingle, isBlockedMcc } = command
      const paid = purchase(this.#subject.cards[command.card], amount, {
        message_type: isSingle ? '0200' : '0100',
      })
      return isBlockedMcc ? { ...paid, merchant: { ...paid.merchant, mcc: BLOCKED_MCC } } : paid
    }
    assert.ok('of' in command)
    const first = this.#sent.get(command.of)
    assert.ok(first)
    if (command.do === 'reverse') {
      const { part } = command
      return about(first, {
        message_type: '0400',
        ...(part !== null && { reverse_amount: part }),
      })
    }
    const { amount } = command
    if (command.do === 'refund')
      return about(first, { message_type: '0200', processing_code: '200000', amount })
    return about(first, { message_type: command.do === 'raise' ? '0100' : '0220', amount })
  }

  /** The final state, in the shape of `leftOf`. */
  async left(): Promise<unknown> {
    const { cards, accounts, limit } = this.#subject
    const found = await world.db
      .selectFrom('accounts')
      .select(['id', 'balance', 'held'])
      .where('id', 'in', accounts)
      .execute()
    const rows = new Map(found.map((row) => [row.id, row]))
    const path = `/v1/velocitylimits/${limit}:available?card_id=${cards[0]?.card_id}`
    const { body } = await issuer.call('GET', path)
    return {
      accounts: accounts.map((id) => [rows.get(id)?.balance, rows.get(id)?.held]),
      available: [body.available_amount, body.available_frequency],
    }
  }
}

const leftOf = (model: CardModel) => ({
  accounts: [0, 1].map((at) => [model.balance[at], model.held[at]]),
  available: [major(atLeastNone(model.sumMax - model.sum)), Math.max(FREQUENCY - model.number, 0)],
})

type Answered = Numbered & { code: string }

/**
 * The refund of a presentment of what was reversed or declined: that is a transaction of its own,
 * and the orders of such messages have tests of their own (test/orders).
 */
function isOfPresented(
  { command }: Numbered,
  others: readonly Numbered[],
  declined: ReadonlySet<number>,
): boolean {
  if (command.do !== 'refund') return false
  const has = (name: Command['do']) =>
    others.some(({ command: one }) => one.do === name && 'of' in one && one.of === command.of)
  return has('complete') && (has('reverse') || declined.has(command.of))
}

/** All states that some order of the branches explains, each branch in its own order. */
function explained(start: CardModel, branches: readonly Answered[][]): CardModel[] {
  const total = branches.reduce((sum, { length }) => sum + length, 0)
  let reached = [{ model: start, done: branches.map(() => 0) }]
  for (let step = 0; step < total; step++) {
    // Orders that leave the same are one.
    const after = new Map<string, (typeof reached)[number]>()
    for (const { model, done } of reached) {
      for (const [at, branch] of branches.entries()) {
        const next = branch[done[at] ?? 0]
        if (!next) continue
        const changed = model.clone()
        if (changed.run(next.at, next.command) !== next.code) continue
        const places = done.with(at, (done[at] ?? 0) + 1)
        after.set(`${places} ${changed.text()}`, { model: changed, done: places })
      }
    }
    reached = [...after.values()]
  }
  return reached.map(({ model }) => model)
}

async function check(steps: readonly Command[], ends: readonly Command[][]): Promise<void> {
  const run = new Run(await makeSubject())
  const model = new CardModel()
  const payable: number[] = []
  const done: Numbered[] = []
  const declined = new Set<number>()
  for (const [at, command] of steps.entries()) {
    for (const one of numbered(command, at, payable)) {
      if (isOfPresented(one, done, declined)) continue
      done.push(one)
      const code = model.run(at, one.command)
      assert.equal(await run.answer(one, at), code, show(one))
      if (code !== '0000') declined.add(at)
      if (opens(one)) payable.push(at)
    }
  }
  const branches = ends.map((branch, number) =>
    branch.flatMap((command, at) => numbered(command, 100 * (number + 1) + at, payable)),
  )
  const all = [...done, ...branches.flat()]
  const answered = await Promise.all(
    branches.map(async (branch, number) => {
      const answers: Answered[] = []
      for (const one of branch.filter((of) => !isOfPresented(of, all, declined)))
        answers.push({ ...one, code: await run.answer(one, number) })
      return answers
    }),
  )
  const left = await run.left()
  const states = explained(model, answered).map(leftOf)
  assert.ok(states.length > 0, `no order explains ${show(answered)}`)
  const isLeft = states.some((state) => show(state) === show(left))
  assert.ok(isLeft, `left is ${show(left)}, and may be ${[...new Set(states.map(show))]}`)
}

const show = (value: unknown) =>
  JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? String(one) : one))

const branches = fc.array(fc.array(step, { minLength: 1, maxLength: LONGEST_BRANCH }), BRANCHES)

test(`${SEQUENCES} sequences are as the reference has them`, async (t) => {
  t.diagnostic(`SEED=${SEED}`)
  await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: LONGEST }),
          at < BRANCHED ? branches : fc.constant([]),
          check,
        ),
        { seed: SEED + at, numRuns: SEQUENCES / AT_ONCE },
      ),
    ),
  )
})

test('the books are right', () => assertSound(world.db))
