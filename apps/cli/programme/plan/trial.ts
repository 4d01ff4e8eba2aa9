/** Backtests of what a plan changes of the controls of cards that are there. */

import { type Api, RequestFault } from '../../kit/api.ts'
import { Fault } from '../../kit/faults.ts'
import { visible } from '../../kit/text.ts'
import type { Members, Value } from '../../kit/values.ts'
import { LISTS, type Limit, type Programme } from '../kinds.ts'
import type { State, Stored } from '../platform/state.ts'
import { counted } from '../words.ts'
import type { Plan } from './plan.ts'

export const DAYS_MAX = 92
const POLL_MS = 500
/** Polls for one backtest: half an hour. */
const POLLS_MAX = 3600
const LIMITS_MAX = 10

type Trying = {
  api: Api
  state: State
  wanted: Programme
  days: number
  wait: (ms: number) => Promise<void>
}
export type Tried = { card_product: string; days: number; result: Members }

/** One for each product that is there and whose controls the plan changes, one after the other. */
export async function backtestPlan(plan: Plan, trying: Trying): Promise<Tried[]> {
  const { state, wanted, days } = trying
  const products = state.stored.get('card_products') ?? []
  const tried: Tried[] = []
  for (const product of products) {
    const proposal = proposalOf(product, plan, wanted)
    if (Object.keys(proposal).length === 0) continue
    const result = await backtest(trying, { ...proposal, card_product_id: product.id })
    tried.push({ card_product: product.name, days, result })
  }
  return tried
}

/**
 * The proposal of a backtest that a product's decisions differ by, as `POST /v1/controls:backtest`
 * takes it.
 */
function proposalOf(product: Stored, plan: Plan, wanted: Programme): Members {
  const entry = wanted.sections.get('card_products')?.get(product.name) ?? product.entry
  const own = plan.actions.find((one) => one.stored === product)
  const hasChanged = (section: string, name: Value) =>
    plan.actions.some((one) => one.section === section && one.name === name)
  const lists = LISTS.flatMap((list) => {
    const name = entry[list] ?? null
    const isOther = own?.changes.some(({ member }) => member === list) ?? false
    if (!isOther && (name === null || !hasChanged(list, name))) return []
    const found = name === null ? undefined : wanted.sections.get(list)?.get(String(name))
    return [listProposal(list, found)]
  })
  const added = (limit: Limit) => {
    const before = [product.entry[limit] ?? []].flat()
    const names = [entry[limit] ?? []].flat()
    return names
      .filter((name) => !before.includes(name) || hasChanged(limit, name))
      .map((name) => wanted.sections.get(limit)?.get(String(name)))
      .filter((one) => one !== undefined && one['mode'] !== 'SHADOW')
      .slice(0, LIMITS_MAX) as Members[] // None of them is undefined.
  }
  const velocity = added('velocity_limits').map(({ mode: _, ...terms }) => terms)
  const balance = added('balance_limits')
    .filter(({ type, min_amount }) => type === 'PER_ACCOUNT' && min_amount !== undefined)
    .map(({ type, currency, min_amount }) => ({ type, currency, min_amount }) as Members)
  return {
    ...settingsProposal(own?.changes ?? []),
    ...Object.assign({}, ...lists),
    ...(velocity.length > 0 && { velocity_limits: velocity }),
    ...(balance.length > 0 && { balance_limits: balance }),
  }
}

function settingsProposal(changes: Plan['actions'][number]['changes']): Members {
  const prefix = 'auth_settings.'
  const own = changes
    .filter(({ member }) => member.startsWith(prefix))
    .map(({ member, to = null }) => [member.slice(prefix.length), to] as const)
  return own.length === 0 ? {} : { auth_settings: Object.fromEntries(own) }
}

/** A list that checks nothing is proposed as none. */
function listProposal(list: string, found: Members | undefined): Members {
  if (!found || found['active'] === false || found['mode'] === 'SHADOW') {
    return { [`${list}_id`]: null }
  }
  const { active: _, mode: __, ...terms } = found
  return { [list]: terms }
}

async function backtest({ api, wait, days }: Trying, proposal: Members): Promise<Members> {
  const to = await presentTime(api)
  const from = new Date(to.getTime() - days * 86_400_000)
  const body = { ...proposal, from: from.toISOString(), to: to.toISOString() }
  const { id } = (await api.object({ method: 'POST', path: '/controls:backtest', body })).body
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const { status, result, error } = await api.get(`/controls/backtests/${id}`)
    if (status === 'COMPLETED') return result as Members // The contract of a backtest.
    if (status !== 'RUNNING') throw new Fault(`the backtest ${id} is ${status}: ${error ?? ''}`)
    await wait(POLL_MS)
  }
  throw new Fault(`the backtest ${id} is not done: GET /v1/controls/backtests/${id} has its state`)
}

/** The tenant's clock, which a sandbox may move; in live the platform's. */
async function presentTime(api: Api): Promise<Date> {
  try {
    return new Date(String((await api.get('/simulate/clock'))['now']))
  } catch (error) {
    if (!(error instanceof RequestFault && error.status === 404)) throw error
    const { headers } = await api.send({ method: 'GET', path: '/health' })
    const date = new Date(headers.get('date') ?? '')
    return Number.isNaN(date.getTime()) ? new Date() : date
  }
}

export function triedLines({ card_product, days, result }: Tried): string[] {
  const { evaluated, unchanged } = result
  const head = `backtest of ${card_product}, ${counted(days, 'day')}: `
  const sum = `${counted(Number(evaluated), 'decision')}, ${unchanged} unchanged`
  const unknown = ((result['not_evaluated'] ?? []) as Members[]).map(
    ({ number, reason }) => `  ${number} cannot be decided again (${reason})`,
  )
  const turns = TURNS.flatMap((turn) => turnLines(turn, result))
  return [head + sum, ...turns, ...unknown].map(visible)
}

const TURNS: readonly [member: string, words: string][] = [
  ['would_decline', 'approved, would be declined'],
  ['would_approve', 'declined, would be approved'],
  ['would_decline_otherwise', 'declined, would be declined with another code'],
]

function turnLines([member, words]: readonly [string, string], result: Members): string[] {
  return ((result[member] ?? []) as Members[]).map((turn) => {
    const { number, amount, currency, status_code, former_status_code } = turn
    const codes = [former_status_code, status_code].filter((code) => code !== undefined)
    return `  ${number} ${words} (${codes.join(' → ')}): ${amount} ${currency}`
  })
}
