/** The job of a backtest: portions of stored decisions, each one transaction (D-484). */

import { presentCards } from '#issuing/authorization/authorization.ts'
import { mergeAuthSettings } from '#issuing/products/products.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import {
  type DecisionRange,
  listDecisionRows,
  listTransactionsByIds,
} from '#issuing/transactions/transactions.ts'
import type { Tx } from '#kit/context.ts'
import { firstIdAt } from '#lib/id.ts'
import {
  deleteKept,
  deleteOpen,
  listCounts,
  listOpen,
  upsertCounts,
  upsertOpen,
} from './replay_store.ts'
import {
  type Left,
  levelOf,
  type Open,
  type Plan,
  Replay,
  type ReplayCard,
  readPlan,
  replayPortion,
  withProposed,
} from './rules.ts'
import { type BacktestRow, deleteBacktest, lockDueBacktest, updateBacktest } from './store.ts'

/** The channel that notifies the job of a new backtest. */
export const BACKTESTS = 'backtests'

/** Decisions of one portion: it holds this process up for some ten milliseconds. */
const DECISIONS_A_PORTION = 100
/** Later events of one portion. */
const EVENTS_A_PORTION = 200
/** Rows of each table that one portion deletes. */
const DELETED_A_PORTION = 1_000
/** An id is made this close to the time of its decision. */
export const ID_SLACK_MS = 3_600_000

/** The backtest that is due longest, locked; undefined if none is. */
export const lockDue = (tx: Tx): Promise<BacktestRow | undefined> => lockDueBacktest(tx)

/** Does one portion. Writes only rows of the backtest. */
export async function workOn(tx: Tx, job: BacktestRow): Promise<void> {
  if (job.status !== 'RUNNING') return clearUp(tx, job)
  const plan = readPlan(job.plan, job)
  const portion = await readPortion(tx, job, plan)
  const left = await replay(tx, job, plan, portion)
  const of = { ...tx, backtest_id: job.id }
  const open = [...left.values()].flatMap((one) => one ?? [])
  const ended = [...left].flatMap(([id, one]) => (one ? [] : [id]))
  await Promise.all([upsertOpen(of, open), deleteOpen(of, ended)])
  const { rows, horizon, isLast } = portion
  await updateBacktest(tx, job.id, {
    after_id: rows.at(-1)?.id ?? job.after_id,
    read: job.read + BigInt(rows.length),
    reached: horizon,
    result: job.result,
    failures: 0,
    due: tx.now,
    ...(isLast && { status: 'COMPLETED' as const, place: null, completed: tx.now }),
  })
}

type Portion = {
  rows: readonly TransactionRow[]
  open: readonly Open[]
  horizon: Date
  isLast: boolean
}

/** New decisions, and the events of earlier ones up to the last of them. */
async function readPortion(tx: Tx, job: BacktestRow, plan: Plan): Promise<Portion> {
  const owner = ownerOf(job)
  const read = await listDecisionRows(tx, {
    ...(owner && { owner }),
    after: job.after_id,
    until: firstIdAt(plan.to.getTime() + ID_SLACK_MS),
    from: plan.counts_from,
    to: plan.to,
    limit: DECISIONS_A_PORTION,
  })
  const last = read.length === DECISIONS_A_PORTION ? read.at(-1) : undefined
  const end = last?.created ?? plan.to
  const open = await listOpen({ ...tx, backtest_id: job.id }, end, EVENTS_A_PORTION)
  const next = open.length === EVENTS_A_PORTION ? open.at(-1) : undefined
  if (!next) return { rows: read, open, horizon: end, isLast: last === undefined }
  // The events at the time of the last one may be more than were read.
  const cut = read.findIndex(({ created }) => created >= next.due)
  const rows = cut < 0 ? read : read.slice(0, cut)
  return { rows, open, horizon: next.due, isLast: false }
}

/** A product has many cards: its decisions are found among those of the tenant. */
function ownerOf({ owner, owner_id: id }: BacktestRow): DecisionRange['owner'] {
  if (id === null || owner === null || owner === 'cardproducts') return undefined
  const columns = { cards: 'id', accounts: 'account_id', users: 'user_id' } as const
  return { column: columns[owner], id }
}

async function replay(
  tx: Tx,
  job: BacktestRow,
  plan: Plan,
  { rows, open, horizon }: Portion,
): Promise<Left> {
  const of = { ...tx, backtest_id: job.id }
  const known = new Map(rows.map((row) => [row.id, row]))
  const absent = open.flatMap(({ transaction_id: id }) => (known.has(id) ? [] : [id]))
  for (const row of await listTransactionsByIds(tx, absent)) known.set(row.id, row)
  const all = [...known.values()]
  const holders = new Set([
    ...all.flatMap(({ account_id, user_id }) => [account_id ?? [], user_id ?? []].flat()),
    ...open.flatMap(({ state }) => state.counted.map(([holder_id]) => holder_id)),
  ])
  const [cards, counts] = await Promise.all([
    presentCards(tx, [...new Set(all.flatMap(({ card_id }) => card_id ?? []))]),
    listCounts(of, [...holders]),
  ])
  const within = [...cards].filter(
    ([, { card }]) => job.owner !== 'cardproducts' || card.card_product_id === job.owner_id,
  )
  const proposed = new Map(within.map(([id, card]) => [id, proposedCard(plan, card)]))
  const replayed = new Replay(plan, proposed, counts, job.result)
  const left = replayPortion(replayed, rows, open, known, horizon)
  await upsertCounts(of, replayed.changed)
  return left
}

/** The card as it is at present, with the proposal at its level. */
function proposedCard(plan: Plan, held: ReplayCard): ReplayCard {
  const level = levelOf(plan)
  const { settings, lists } = held.card
  const { currency } = held.product
  const layer = settings[level]
  const at = { from: currency, to: currency, prefix: '' }
  const auth_settings = plan.auth_settings
    ? mergeAuthSettings(layer.auth_settings, plan.auth_settings, at).settings
    : layer.auth_settings
  return {
    ...held,
    card: {
      ...held.card,
      settings: { ...settings, [level]: { ...layer, auth_settings } },
      lists: { ...lists, [level]: withProposed(lists[level], plan.lists) },
    },
  }
}

/** The working rows of an ended backtest go first; the backtest itself when it expires. */
async function clearUp(tx: Tx, { id, expires }: BacktestRow): Promise<void> {
  if (await deleteKept(tx, id, DELETED_A_PORTION)) return
  if (expires <= tx.now) await deleteBacktest(tx, id)
  else await updateBacktest(tx, id, { due: expires })
}
