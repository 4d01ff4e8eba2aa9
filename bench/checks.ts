/**
 * The cost of controls: authorizations a second, and CPU time of each, with none in force, with
 * each kind of check that needs more than the card, and with two lists and ten limits together.
 */

import { randomBytes } from 'node:crypto'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { createLimit, linkLimits } from '#issuing/limits/limits.ts'
import { createCountryList, createMccList } from '#issuing/lists/lists.ts'
import { updateProduct } from '#issuing/products/products.ts'
import { setRates } from '#issuing/rates/rates.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { cvv2Of, keySets } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { numericOf } from '#lib/currency.ts'
import { Secret } from '#lib/secret.ts'
import { chipData, chipTags, usualVersion } from '#sandbox/network/chip_card.ts'
import { CURRENCY, type Dealing, type Deck, dealCards, numbersOf } from './support/cards.ts'
import { openCpuMeter, perUnit, totalOf } from './support/cpu.ts'
import { costOfDecisions, type DecisionCost, purchase } from './support/engine_load.ts'
import { openPlatform } from './support/platform.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
/**
 * Each variant decides one purchase of each card, and before it the same is done with none in
 * force: the machine's own speed changes from minute to minute, so only neighbours are compared.
 */
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 3)
const IN_FLIGHT = 256
const ENGINE_CONNECTIONS = 16
const TARGET = 0.7
/** The expiry date of a deck's cards. */
const EXPIRY = '2099-12'

type Change = Partial<AuthorizationRequest>
type Variant = {
  name: string
  /** Product-wide, before its round, and taken back after it. */
  lists?: boolean
  /** The cards that are decided on, by the number of their limits in force. */
  limits?: keyof typeof limited
  /** Members of its request beside the usual ones. */
  change?: (at: number, round: number) => Change
}

const print = (line: string) => console.log(line)

print(`Creating ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const plain = await dealCards(platform.ctx(), CARDS)
const { tenant_id, card_product_id, card_ids } = plain
const ctx: Context = platform.ctx(tenant_id)
/** Cards of their own: the sums that limits have counted stay with the account. */
const limited = {
  one: await dealLimited(1, { bin: '400001' }),
  ten: await dealLimited(10, { bin: '400002' }),
  ten_on_one: await dealLimited(10, { bin: '400003', one_account: true }),
}
print('Reading their numbers …')
const pans = (await numbersOf(ctx, card_ids)).map((pan) => new Secret(pan))
const keys = (await keySets(ctx, [card_product_id])).get(card_product_id)
if (!keys) throw new Error('the product has no keys')
await setRates(platform.ctx(), { rates: [{ from: 'USD', to: CURRENCY, rate: '3.6725' }] })
const lists = await makeLists()
await platform.vacuum()

const cvv2s = await Promise.all(pans.map((pan) => cvv2Of(ctx, keys, pan, EXPIRY)))
const panOf = (at: number) => pans[at] ?? new Secret('')
const variants: readonly Variant[] = [
  { name: 'none again' },
  { name: 'two lists', lists: true },
  { name: 'one limit', limits: 'one' },
  { name: 'ten limits', limits: 'ten' },
  { name: 'two lists and ten limits', lists: true, limits: 'ten' },
  { name: 'ten limits, one account', limits: 'ten_on_one' },
  { name: 'another currency', change: () => ({ currency: 'USD' }) },
  { name: 'recurring (stop orders)', change: () => ({ recurring: true }) },
  { name: 'card number', change: (at) => ({ card: { pan: panOf(at) } }) },
  {
    name: 'card number and CVV2',
    change: (at) => {
      const pan = panOf(at)
      return { card: { pan }, expiry: '9912', cvv2: cvv2s[at] ?? new Secret('') }
    },
  },
  { name: 'card number and chip', change: (at, round) => chipOf(keys, panOf(at), round + 1) },
]

const NONE: Variant = { name: 'none in force' }
/** Costs within one round. */
type Pair = { none: DecisionCost; cost: DecisionCost }
const pairs = new Map<Variant, Pair[]>(variants.map((variant) => [variant, []]))
// The first payment that a limit counts makes its row longer.
for (const name of [undefined, 'one', 'ten', 'ten_on_one'] as const)
  await measure(name ? { name, limits: name } : NONE, -1)
for (let round = 0; round < ROUNDS; round++) {
  print(`Round ${round + 1} of ${ROUNDS} …`)
  for (const variant of variants) {
    const none = await measure(NONE, round)
    pairs.get(variant)?.push({ none, cost: await measure(variant, round) })
  }
}
printTable()
await platform.close()

async function makeLists() {
  return new Map(
    await Promise.all(
      [plain, ...Object.values(limited)].map(async (deck) => {
        const of = platform.ctx(deck.tenant_id)
        const countries = await createCountryList(of, {
          ...{ name: 'Countries', country_codes: ['ARE', 'SAU', 'KWT'] },
        })
        const mccs = await createMccList(of, { name: 'MCCs', mccs: ['5411', '5812', '5541'] })
        return [deck, { allowed_countries_id: countries.id, allowed_mccs_id: mccs.id }] as const
      }),
    ),
  )
}

/** Cards whose product has so many limits, of which none declines a purchase of the bench. */
async function dealLimited(number: 1 | 10, dealing: Dealing): Promise<Deck> {
  const deck = await dealCards(platform.ctx(), CARDS, dealing)
  const of = platform.ctx(deck.tenant_id)
  const { VELOCITY, BALANCE } = await makeLimits(of)
  const kinds = number === 1 ? { VELOCITY: VELOCITY.slice(0, 1) } : { VELOCITY, BALANCE }
  for (const [kind, ids] of Object.entries(kinds))
    await linkLimits(of, kind as keyof typeof kinds, 'cardproducts', deck.card_product_id, ids)
  return deck
}

async function makeLimits(of: Context): Promise<Record<'VELOCITY' | 'BALANCE', string[]>> {
  const velocity = (fields: object) => ({
    ...{ type: 'CUMULATIVE' as const, currency: CURRENCY, max_amount: 1_000_000, ...fields },
  })
  const periods = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME'] as const
  const given = [
    ...periods.map((period) => velocity({ period, frequency: 100_000 })),
    velocity({ period: 'DAILY', transaction_scope: ['PURCHASES'] }),
    velocity({ period: 'DAILY', transaction_scope: ['WITHDRAWALS'] }),
    velocity({ type: 'PER_TRANSACTION', max_amount: 10_000 }),
  ]
  const made = await Promise.all(given.map((input) => createLimit(of, 'VELOCITY', input)))
  const bounds = { type: 'PER_ACCOUNT' as const, currency: CURRENCY }
  const balance = await Promise.all(
    [{ min_amount: 1 }, { max_amount: 100_000_000 }].map((bound) =>
      createLimit(of, 'BALANCE', { ...bounds, ...bound }),
    ),
  )
  return { VELOCITY: made.map(({ id }) => id), BALANCE: balance.map(({ id }) => id) }
}

function chipOf({ imk_ac }: KeySet, pan: Secret, atc: number): Change {
  if (!(imk_ac instanceof TdesKey)) throw new Error('the product has no chip keys')
  const tags = chipTags(
    { imk_ac, pan },
    {
      ...{ version: usualVersion(pan), atc, amount: 100n, currency: numericOf(CURRENCY) },
      ...{ processing_code: '000000', date: '260101', unpredictable: randomBytes(4) },
    },
  )
  return { card: { pan }, entry_mode: 'CHIP', emv: chipData(tags) }
}

/** The requests are made before the clock runs. */
async function measure(variant: Variant, round: number): Promise<DecisionCost> {
  const deck = variant.limits ? limited[variant.limits] : plain
  const requests = deck.card_ids.map((card_id, at) => ({
    ...{ ...purchase(card_id), ...variant.change?.(at, round) },
  }))
  if (variant.lists) await switchLists(deck, true)
  let at = 0
  const cost = await costOfDecisions(meter, platform.services, {
    request: () => requests[at++ % CARDS] ?? purchase(''),
    ...{ tenant_id: deck.tenant_id, in_flight: IN_FLIGHT, decisions: CARDS - IN_FLIGHT },
  })
  if (variant.lists) await switchLists(deck, false)
  return cost
}

async function switchLists(deck: Deck, isOn: boolean): Promise<void> {
  const none = { allowed_countries_id: null, allowed_mccs_id: null }
  const of = platform.ctx(deck.tenant_id)
  await updateProduct(of, deck.card_product_id, (isOn && lists.get(deck)) || none)
}

function ratioOf({ none, cost }: Pair): number {
  return cost.per_second / none.per_second
}

function moreOf({ none, cost }: Pair): number | undefined {
  return cost.cpu && none.cpu ? totalOf(cost.cpu) - totalOf(none.cpu) : undefined
}

/** The round whose ratio is in the middle. */
function usualOf(variant: Variant): Pair | undefined {
  const sorted = (pairs.get(variant) ?? []).toSorted((one, other) => ratioOf(one) - ratioOf(other))
  return sorted[Math.floor(sorted.length / 2)]
}

function printTable(): void {
  const heads = ['a second', 'of none', 'CPU PostgreSQL + Node', 'more than none']
  print(`\n${' '.repeat(28)}${heads[0]}   ${heads[1]}   ${heads[2]}   ${heads[3]}   all rounds`)
  for (const variant of variants) {
    const pair = usualOf(variant)
    if (!pair) continue
    const { cost } = pair
    const rate = Math.round(cost.per_second).toLocaleString('en').padStart(8)
    const ratio = `${ratioOf(pair).toFixed(2)} ×`.padStart(9)
    const by = `${moreOf(pair)?.toFixed(1) ?? '–'} µs`.padStart(16)
    const cpu = perUnit(cost.cpu, 1).padStart(21)
    const all = (pairs.get(variant) ?? []).map((one) => ratioOf(one).toFixed(2)).join(' ')
    print(`${variant.name.padEnd(28)}${rate} ${ratio}   ${cpu} ${by}   ${all}`)
  }
  print(`target: two lists and ten limits ≥ ${TARGET} ×`)
}
