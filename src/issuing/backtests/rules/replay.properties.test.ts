/** A story that was decided without controls, replayed with them, turns as it would have live. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import { ruleOf } from '#issuing/lists/rules.ts'
import { about, Desk, purchase, settingsOf, type TestMessage } from '#test/support/desk.ts'
import { backtest, planOf } from '#test/support/replays.ts'
import { proposedRules } from './proposed.ts'

const deep = process.env['TEST_DEEP'] !== undefined
const RUNS = deep ? 5_000 : 150

const amount = fc.constantFrom(1n, 10n, 40n, 50n, 60n, 100n)
const step = fc.record({
  kind: fc.constantFrom(
    'pay',
    'pay',
    'pay',
    'cash',
    'raise',
    'raise',
    'part',
    'undo',
    'clear',
    'wait',
  ),
  card: fc.nat(1),
  of: fc.nat(7),
  amount,
  shop: fc.constantFrom('5411', '7995'),
  hours: fc.nat(30),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const limit = fc.record({
  type: fc.constantFrom('PER_TRANSACTION' as const, 'CUMULATIVE' as const),
  max_amount: fc.constantFrom(50n, 100n, 150n),
  min_amount: fc.constantFrom(null, null, 10n),
  frequency: fc.constantFrom(null, 1, 2, 3),
  period: fc.constantFrom(
    'DAILY' as const,
    'WEEKLY' as const,
    'MONTHLY' as const,
    'LIFETIME' as const,
  ),
  transaction_scope: fc.constantFrom(
    ['ALL' as const],
    ['PURCHASES' as const],
    ['WITHDRAWALS' as const],
  ),
})
const controls = fc.record({
  velocity: fc.array(limit, { maxLength: 3 }),
  remains: fc.option(fc.constantFrom(5_700n, 5_900n)),
  blocks: fc.boolean(),
  most: fc.option(fc.constantFrom('50', '99')),
  owner: fc.constantFrom('cards' as const, 'accounts' as const),
})
type Controls = typeof controls extends fc.Arbitrary<infer Value> ? Value : never

/** More than any story takes. */
const OPENING = 6_000n
const blocked = ruleOf({
  kind: 'mccs',
  id: 'list',
  name: 'Betting',
  allow: false,
  active: true,
  version: 1n,
  entries: ['7995'],
  mode: 'ENFORCED',
})

function planned({ velocity, remains, blocks, most, owner }: Controls) {
  const terms = { currency: 'AED', version: 1n, mode: 'ENFORCED' } as const
  const none = { max_amount: null, frequency: null, period: null, transaction_scope: null }
  const balance: LimitTerms[] =
    remains === null
      ? []
      : [
          {
            ...terms,
            ...none,
            id: 'b',
            short_id: 0n,
            kind: 'BALANCE',
            type: 'PER_ACCOUNT',
            min_amount: remains,
          },
        ]
  return {
    owner,
    balance,
    velocity: velocity.map((one, at) => ({
      ...terms,
      ...one,
      id: `v${at}`,
      short_id: BigInt(at),
      kind: 'VELOCITY' as const,
    })),
    lists: blocks ? { mccs: blocked } : {},
    auth_settings: most === null ? null : { max_amount: most },
  }
}

function openDesk(plan: ReturnType<typeof planOf>, inForce: boolean): Desk {
  const desk = new Desk()
  const account = desk.addAccount(OPENING)
  for (let count = 0; count < 2; count += 1) {
    const { auth_settings, lists } = plan
    const settings = settingsOf(
      {},
      auth_settings ? { max_amount: String(auth_settings.max_amount) } : {},
    )
    const named = { product: {}, card: lists.mccs ? { mccs: lists.mccs } : {} }
    const { card_id } = desk.addCard(account.id, inForce ? { settings, lists: named } : {})
    const holder = { account_id: account.id, user_id: 'user', chain_id: card_id, currency: 'AED' }
    const velocity = proposedRules(plan, holder)
    if (inForce) desk.limits.set(card_id, { velocity, balance: plan.balance })
  }
  return desk
}

type Payment = { message: TestMessage; answer: AuthorizationAnswer; raised: boolean; over: boolean }
type Decision = { step: number; amount: bigint; answer: AuthorizationAnswer }

/** The decisions of the steps; a step about a declined payment is not sent. */
function play(desk: Desk, steps: readonly Step[]): Decision[] {
  const payments: Payment[] = []
  const decisions: Decision[] = []
  const cards = [...desk.cards.values()]
  for (const [at, { kind, card, of, amount, shop, hours }] of steps.entries()) {
    desk.now = new Date(desk.now.getTime() + hours * 3_600_000 + 1_000)
    desk.wait(0)
    if (kind === 'wait') desk.wait(8)
    if (kind === 'pay' || kind === 'cash') {
      const merchant = { id: 'SHOP1', mcc: kind === 'cash' ? '6011' : shop }
      const processing_code = kind === 'cash' ? '010000' : '000000'
      const message = purchase(cards[card], amount, { merchant, processing_code })
      const answer = desk.ask(message)
      payments.push({ message, answer, raised: false, over: false })
      decisions.push({ step: at, amount, answer })
    }
    const payment = payments[of % Math.max(payments.length, 1)]
    if (!payment?.answer.approved || payment.over) continue
    const { message } = payment
    const isHeld = desk.row(payment.answer).status === 'PENDING'
    if (kind === 'raise' && isHeld && !payment.raised) {
      const answer = desk.ask(about(message, { message_type: '0100', amount }))
      decisions.push({ step: at, amount, answer })
    }
    if (kind === 'part' && isHeld) {
      payment.raised = true
      desk.ask(about(message, { message_type: '0400', reverse_amount: amount }))
    }
    if (kind === 'undo') desk.ask(about(message, { message_type: '0400' }))
    if (kind === 'clear') desk.ask(about(message, { message_type: '0220' }))
    payment.over = kind === 'undo' || kind === 'clear'
  }
  return decisions
}

/**
 * The number and sum of decisions, by code, that were approved without the controls and declined
 * with them.
 */
function turnedIn(free: readonly Decision[], live: readonly Decision[]) {
  const turned: Record<string, { number: number; amount: bigint }> = {}
  for (const { step, amount, answer } of free) {
    const now = live.find((one) => one.step === step)
    if (!answer.approved || !now || now.answer.approved) continue
    const { number = 0, amount: sum = 0n } = turned[now.answer.status_code] ?? {}
    turned[now.answer.status_code] = { number: number + 1, amount: sum + amount }
  }
  return turned
}

const seenCodes = new Set<string>()

test('what turns in a replay is what the engine would have declined', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      controls,
      fc.integer({ min: 1, max: 9 }),
      (all, given, size) => {
        // The funds that were available at an increment are not stored.
        const steps = given.remains === null ? all : all.filter(({ kind }) => kind !== 'raise')
        const plan = planOf(new Desk().now, planned(given))
        const [freely, lively] = [openDesk(plan, false), openDesk(plan, true)]
        const turned = turnedIn(play(freely, steps), play(lively, steps))
        const rows = [...freely.transactions.values()]
        const cards = openDesk({ ...plan, velocity: [] }, true).cards
        const replayed = backtest(rows, cards, plan, size)
        const found = Object.fromEntries(
          replayed.would_decline.map(({ status_code, number, amount }) => [
            status_code,
            { number, amount: BigInt(amount) },
          ]),
        )
        assert.deepEqual(found, turned)
        for (const code of Object.keys(found)) seenCodes.add(code)
        assert.deepEqual(replayed.would_approve, [])
      },
    ),
    { numRuns: RUNS, ...(deep ? {} : { seed: 11 }) },
  )
  const codes = ['1021', '1876', '1879', '1883', '1896', '1897', '1898']
  assert.deepEqual([...seenCodes].sort(), codes)
})
