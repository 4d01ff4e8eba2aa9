/**
 * Each step of either side of a dispute between a shop and an issuer of one tenant, from each pair
 * of statuses: both sides move, or neither does, and the money is at one of them (D-1300).
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { auditAll } from '#src/audit/audits.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const TOTAL = 100
const PART = 60
const MINOR = 100
const customer = await shop.customer(BigInt(TOTAL * MINOR) * 100n)

type Pair = { issuer: string; shop: string; reference: string }
type Send = (ids: Pair) => ReturnType<typeof shop.request>
const tenant =
  (step: string): Send =>
  ({ issuer }) =>
    shop.request('POST', `/v1/disputes/${issuer}:${step}`, {})
const simulate =
  (step: string): Send =>
  ({ issuer }) =>
    shop.request('POST', `/v1/simulate/disputes/${issuer}:${step}`, {})
const operator = (path: string, body: object) =>
  shop.request('POST', `/v1/operator/${path}:record`, body, { key: shop.operator_key })
const network =
  (step: string, members: object = {}): Send =>
  ({ issuer }) =>
    operator(`disputes/${issuer}`, { step, ...members })
const record =
  (step: string): Send =>
  (ids) =>
    operator(`chargebacks/${ids.shop}`, { step })
const own =
  (path: string, body?: object): Send =>
  (ids) =>
    shop.call('POST', `/disputes/${ids.shop}/${path}/`, body)

const actions = {
  'shop: evidence': own('evidence', { receipt: 'Receipt 7' }),
  'shop: accept': own('accept'),
  'chargeback: WIN': record('WIN'),
  'chargeback: LOSE': record('LOSE'),
  'chargeback: WITHDRAW': record('WITHDRAW'),
  'issuer: submit': tenant('submit'),
  'issuer: accept': tenant('accept'),
  'issuer: arbitrate': tenant('arbitrate'),
  'issuer: withdraw': tenant('withdraw'),
  'dispute: SENT': network('SENT'),
  'dispute: REPRESENT': network('REPRESENT'),
  'dispute: REPRESENT a part': network('REPRESENT', { amount: PART }),
  'dispute: WIN': network('WIN'),
  'dispute: LOSE': network('LOSE'),
  'dispute: REJECT': network('REJECT'),
  'simulate: represent': simulate('represent'),
  'simulate: arbitrate': simulate('arbitrate'),
  'simulate: win': simulate('win'),
  'simulate: lose': simulate('lose'),
} as const
type Action = keyof typeof actions

/** A captured order whose payment is charged back: the ids of its dispute at both sides. */
async function charged(): Promise<Pair> {
  const total = `${TOTAL}.00`
  const { reference } = await shop.order(customer, { total })
  await shop.call('POST', `/orders/${reference}/capture`, { total })
  const { body: paid } = await shop.request('GET', `/v1/transactions?card_id=${customer.card_id}`)
  const input = { reason: 'NOT_RECEIVED', explanation: 'It never came.' }
  const transaction_id = paid.data[0].id
  const opened = await shop.request('POST', '/v1/disputes', { transaction_id, ...input })
  const ids = { issuer: String(opened.body.id), shop: '', reference: String(reference) }
  await tenant('submit')(ids)
  await network('SENT')(ids)
  const { body: seen } = await shop.call('GET', `/disputes/?reference=${reference}`)
  return { ...ids, shop: String(seen.data[0].dispute_id) }
}

/** The statuses of both sides, and the money of the cardholder and of the shop once it is over. */
async function state(ids: Pair): Promise<string> {
  const { body: one } = await shop.request('GET', `/v1/disputes/${ids.issuer}`)
  const { body: other } = await shop.call('GET', `/disputes/${ids.shop}`)
  const outcome = one.status === 'EXPIRED' ? ` as ${one.outcome}` : ''
  const both = `${one.status}${outcome} ${other.status}`
  if (OPEN.includes(one.status) && WAITING.includes(other.status)) return both
  const returned = Number(other.returned ?? 0)
  assert.equal(one.credited_amount + returned, TOTAL, `the money of ${both}`)
  return `${both} ${one.credited_amount}`
}
const OPEN = ['CHARGED_BACK', 'REPRESENTED', 'PRE_ARBITRATION']
const WAITING = ['NEEDS_RESPONSE', 'UNDER_REVIEW']

type Row = { by: readonly Action[]; is: string; moves: Partial<Record<Action, string>> }
const ended = (by: Action[], is: string): Row => ({ by, is, moves: {} })
const answered = { 'dispute: REPRESENT': 'REPRESENTED UNDER_REVIEW' } as const
/** A step that is not in `moves` is 409, and both sides stay. */
const table: readonly Row[] = [
  {
    by: [],
    is: 'CHARGED_BACK NEEDS_RESPONSE',
    moves: {
      ...answered,
      'shop: evidence': 'REPRESENTED UNDER_REVIEW',
      'shop: accept': 'WON ACCEPTED 100',
      'chargeback: WIN': 'LOST WON 0',
      'chargeback: LOSE': 'WON LOST 100',
      'chargeback: WITHDRAW': 'WITHDRAWN WITHDRAWN 0',
      'issuer: withdraw': 'WITHDRAWN WITHDRAWN 0',
      'dispute: REPRESENT a part': 'REPRESENTED UNDER_REVIEW',
      'dispute: WIN': 'WON LOST 100',
      'dispute: REJECT': 'DRAFT WITHDRAWN 0',
      'simulate: represent': 'REPRESENTED UNDER_REVIEW',
      'simulate: arbitrate': 'PRE_ARBITRATION UNDER_REVIEW',
      'simulate: win': 'WON LOST 100',
      'simulate: lose': 'LOST WON 0',
    },
  },
  ...(['shop: evidence', 'dispute: REPRESENT a part'] as const).flatMap((first) =>
    presentedAgain(first, first === 'dispute: REPRESENT a part' ? TOTAL - PART : 0),
  ),
  ended(['shop: accept'], 'WON ACCEPTED 100'),
  ended(['chargeback: LOSE'], 'WON LOST 100'),
  ended(['chargeback: WIN'], 'LOST WON 0'),
  ended(['dispute: WIN'], 'WON LOST 100'),
  ended(['shop: evidence', 'issuer: accept'], 'ACCEPTED WON 0'),
  // The reversal of the chargeback leaves.
  ...(['chargeback: WITHDRAW', 'issuer: withdraw'] as const).map((by) => ({
    ...ended([by], 'WITHDRAWN WITHDRAWN 0'),
    moves: { 'dispute: SENT': 'WITHDRAWN WITHDRAWN 0' },
  })),
  {
    ...ended(['dispute: REJECT'], 'DRAFT WITHDRAWN 0'),
    moves: {
      'issuer: submit': 'SUBMITTED WITHDRAWN 0',
      'issuer: withdraw': 'WITHDRAWN WITHDRAWN 0',
    },
  },
]

/** `kept` stays with the cardholder of a dispute that is lost. */
function presentedAgain(first: Action, kept: number): Row[] {
  const decided = {
    'chargeback: WIN': `LOST WON ${kept}`,
    'chargeback: LOSE': 'WON LOST 100',
    'simulate: win': 'WON LOST 100',
    'simulate: lose': `LOST WON ${kept}`,
  }
  const represented = {
    ...decided,
    'issuer: accept': `ACCEPTED WON ${kept}`,
    'issuer: arbitrate': 'PRE_ARBITRATION UNDER_REVIEW',
    'simulate: arbitrate': 'PRE_ARBITRATION UNDER_REVIEW',
  }
  const arbitrated = {
    ...decided,
    'dispute: SENT': 'PRE_ARBITRATION UNDER_REVIEW',
    'dispute: WIN': 'WON LOST 100',
    'dispute: LOSE': `LOST WON ${kept}`,
    'dispute: REJECT': 'REPRESENTED UNDER_REVIEW',
  }
  const rows = [
    { by: [first], is: 'REPRESENTED UNDER_REVIEW', moves: represented },
    {
      by: [first, 'issuer: arbitrate'],
      is: 'PRE_ARBITRATION UNDER_REVIEW',
      moves: arbitrated,
    },
  ] as const
  return [...rows]
}

async function ledBy(row: Row): Promise<Pair> {
  const ids = await charged()
  for (const action of row.by) await actions[action](ids)
  assert.equal(await state(ids), row.is)
  return ids
}

for (const row of table) {
  test(`of ${row.is}${row.by.length > 0 ? ` by ${row.by.join(', ')}` : ''}`, async (t) => {
    let kept: Pair | undefined
    for (const action of Object.keys(actions) as Action[]) {
      await t.test(action, async () => {
        const ids = kept ?? (await ledBy(row))
        kept = undefined
        const { status, text } = await actions[action](ids)
        const expected = row.moves[action]
        assert.equal(status, expected === undefined ? 409 : 200, text)
        const now = await state(ids)
        assert.equal(now, expected ?? row.is)
        if (now === row.is) kept = ids
      })
    }
  })
}

test('deadlines of either side end both', async () => {
  const by = (...steps: Action[]) => ledBy({ ...ended(steps, ''), is: of[steps.length] ?? '' })
  const of = [
    'CHARGED_BACK NEEDS_RESPONSE',
    'REPRESENTED UNDER_REVIEW',
    'PRE_ARBITRATION UNDER_REVIEW',
  ]
  const silent = await by()
  const part = await by('dispute: REPRESENT a part')
  const arbitrated = await by('shop: evidence', 'issuer: arbitrate')
  for (const advance of ['P21D', 'P25D']) {
    await shop.request('PUT', '/v1/simulate/clock', { advance })
    await shop.signIn()
  }
  assert.deepEqual(
    [await state(silent), await state(part), await state(arbitrated)],
    ['WON LOST 100', 'EXPIRED as LOST WON 40', 'EXPIRED as WON LOST 100'],
  )
})

test('steps of both sides at one time leave the money at one of them', async () => {
  const races: [Row['by'], Action, Action][] = [
    [[], 'shop: accept', 'issuer: withdraw'],
    [[], 'chargeback: WIN', 'dispute: WIN'],
    [['shop: evidence'], 'chargeback: LOSE', 'issuer: accept'],
    [['shop: evidence', 'issuer: arbitrate'], 'chargeback: WIN', 'dispute: WIN'],
  ]
  for (const [by, one, other] of races) {
    const ids = await charged()
    for (const action of by) await actions[action](ids)
    const answers = await Promise.all([actions[one](ids), actions[other](ids)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    assert.match(await state(ids), / (0|100)$/)
  }
})

test('an arbitration that a refund leaves too little for refuses the decision', async () => {
  const ids = await ledBy({ ...ended(['shop: evidence'], ''), is: 'REPRESENTED UNDER_REVIEW' })
  const { body: one } = await shop.request('GET', `/v1/disputes/${ids.issuer}`)
  const { transaction_id } = one
  const back = { transaction_id, currency: 'AED', amount: PART }
  const refund = await shop.request('POST', '/v1/simulate/refunds', back)
  assert.equal(refund.status, 200, refund.text)
  const refused = await actions['chargeback: LOSE'](ids)
  assert.partialDeepStrictEqual(refused, {
    status: 409,
    body: {
      code: 'chargeback_move_refused',
      detail: 'The issuer has the dispute as REPRESENTED, from where it cannot follow.',
    },
  })
  assert.equal(await state(ids), 'REPRESENTED UNDER_REVIEW')
})

test('doctor finds nothing then', async () => assert.deepEqual(await auditAll(shop.db, true), []))
