/**
 * Posts the records of accepted files (D-1042): in portions that a process claims, so that any
 * number of processes share a file. A presentment goes to the engine like one of the line, and its
 * record changes in the transaction of its effect; all others change with what is booked of them.
 */

import type { Authorizer, Follow, Followed } from '#issuing/authorization/authorization.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { answerDispute, findAnswerable } from './answering.ts'
import { feeOf, intoSuspense, openAccounts, settledOf, writeBookings } from './bookings.ts'
import { claimPortion, updatePostponed, updateReleased, type WaitingRecord } from './claim_store.ts'
import { listClosedAccounts } from './match_store.ts'
import { findMatches } from './matches.ts'
import {
  type DecidedRecord,
  inOrder,
  listEarlierPurchases,
  listSiblings,
  lockWaiting,
  updateDecided,
  updateReversed,
} from './record_store.ts'
import { answerStep } from './rules/answers.ts'
import { presentmentOf, reversalOf } from './rules/requests.ts'
import { type Sibling, type Way, wayOf } from './rules/ways.ts'

/** Records that are read together; the engine takes fewer at a time. */
const PORTION = 256
/** Portions of a tenant that a process has in hand. */
const LANES = 2
/** A record that another process has in hand is decided first. */
const LATER_MS = 500
/** A record that failed, as for want of a database, is tried again. */
const AGAIN_MS = 2_000

type Placed = { record: WaitingRecord; way: Way; request: AuthorizationRequest | undefined }

/** The next portion is read while the engine decides on the one before it. */
export async function postPortions(ctx: Context, engine: Authorizer): Promise<{ more: boolean }> {
  const lanes = Array.from({ length: LANES }, () => postPortion(ctx, engine))
  const done = await Promise.all(lanes)
  return { more: done.some(({ more }) => more) }
}

export async function postPortion(ctx: Context, engine: Authorizer): Promise<{ more: boolean }> {
  const portion = await claimPortion(ctx, PORTION)
  if (!portion) return { more: false }
  let left: readonly WaitingRecord[] = portion.records
  const failed: WaitingRecord[] = []
  // Those that waited for another record of the portion are decided in the next turn.
  for (let before = left.length + 1; left.length > 0 && left.length < before; ) {
    before = left.length
    left = await decide(ctx, engine, left, failed)
  }
  await updatePostponed(ctx, left, LATER_MS)
  await updatePostponed(ctx, failed, AGAIN_MS)
  const open = [...left, ...failed]
  const isFirst = ({ number }: WaitingRecord) => number === portion.first
  if (open.length > 0 && !open.some(isFirst)) await updateReleased(ctx, portion)
  // Those that are left wait for a while, so that the portions behind them come first.
  return { more: true }
}

/** Returns the records that have to wait for others, and adds those that are tried again. */
async function decide(
  ctx: Context,
  engine: Authorizer,
  records: readonly WaitingRecord[],
  failed: WaitingRecord[],
): Promise<readonly WaitingRecord[]> {
  const placed = await placeRecords(ctx, records)
  const later = placed.filter(({ way }) => way.to === 'LATER')
  const asked = placed.filter(({ request }) => request !== undefined)
  const booked = placed.filter(
    ({ way, request }) => !['LATER', 'DISPUTE'].includes(way.to) && request === undefined,
  )
  await transact(ctx, async (tx) => {
    await openAccounts(
      tx,
      placed.flatMap(({ record }) => settledOf(record)?.currency ?? []),
    )
    const waiting = await lockWaiting(
      tx,
      booked.map(({ record }) => record),
    )
    const keys = new Set(waiting.map(keyOf))
    const left = booked.filter(({ record }) => keys.has(keyOf(record)))
    await writeBooked(tx, left).start()
  })
  // One after the other, since each locks the account of its dispute.
  for (const { record, way } of placed) {
    if (way.to !== 'DISPUTE') continue
    await answerDispute(ctx, record, way.answer).catch(() => failed.push(record))
  }
  const follow = followOf(asked)
  await Promise.all(
    asked.map(async ({ record, request }) => {
      if (request === undefined) return
      await engine
        .submit(ctx.tenant_id, { request, follow: { write: follow, key: keyOf(record) } })
        .catch(() => failed.push(record))
    }),
  )
  return later.map(({ record }) => record)
}

async function placeRecords(ctx: Context, records: readonly WaitingRecord[]): Promise<Placed[]> {
  const cards = unique(records.map(({ card_id }) => card_id))
  const subjects = records.map(subjectOf)
  const refunds = records.filter(isRefund)
  const answering = subjects.filter((one) => answerStep(one) !== undefined)
  const [siblings, answerable, matches, closed, earlier] = await Promise.all([
    listSiblings(ctx, unique(records.map(({ ard }) => ard))),
    findAnswerable(ctx, unique(answering.map(({ ard }) => ard))),
    findMatches(ctx, records, keyOf),
    listClosedAccounts(ctx, cards),
    listEarlierPurchases(ctx, refunds),
  ])
  const byReference = Map.groupBy(siblings, ({ ard }) => ard)
  return subjects.map((record): Placed => {
    const { card_id, ard } = record
    const closed_with = closed.get(card_id ?? '')
    const is_early = isRefund(record) && earlier.some((one) => isPurchaseOf(one, record))
    const subject = { ...record, amount: record.amount ?? undefined, closed_with, is_early }
    const same = byReference.get(ard ?? '') ?? []
    const way = wayOf(subject, same, answerable.get(ard ?? '') ?? [])
    return { record, way, request: requestOf(record, way, matches.get(keyOf(record))) }
  })
}

const isRefund = ({ kind, credit, card_id, facts }: WaitingRecord): boolean =>
  kind === 'PRESENTMENT' && credit && card_id !== null && facts.rrn !== undefined

/** A refund names its purchase by the retrieval reference. */
const isPurchaseOf = (
  one: Awaited<ReturnType<typeof listEarlierPurchases>>[number],
  refund: WaitingRecord,
): boolean =>
  one.card_id === refund.card_id && one.rrn === refund.facts.rrn && inOrder(one, refund) < 0

const subjectOf = (record: WaitingRecord) => ({
  ...record,
  has_card: record.card_id !== null,
  processing_code: record.facts.processing_code,
  settled: settledOf(record),
  presented: presentedOf(record),
})

const presentedOf = ({ amount, currency }: WaitingRecord) =>
  amount === null || currency === null ? undefined : { amount, currency }

function requestOf(
  record: WaitingRecord,
  way: Way,
  match_id: string | undefined,
): AuthorizationRequest | undefined {
  const { card_id, amount, currency } = record
  if (card_id === null || amount === null || currency === null) return undefined
  const posted = { ...record, card_id, amount, currency }
  if (way.to === 'REVERSAL') return reversalOf(posted, way.of)
  return way.to === 'ENGINE' ? presentmentOf(posted, match_id) : undefined
}

const unique = (values: readonly (string | null)[]): string[] => [
  ...new Set(values.flatMap((value) => value ?? [])),
]

const keyOf = ({ file_id, number }: Pick<WaitingRecord, 'file_id' | 'number'>): string =>
  `${file_id}.${number}`

/** The write of the records that the engine does not see. */
function writeBooked(tx: Tx, booked: readonly Placed[]): Write {
  const decided = booked.map(({ record, way }): DecidedRecord & { credit: boolean } => {
    const money = settledOf(record)
    const none = { transaction_id: null, status_code: null, credit: record.credit }
    const { file_id, number } = record
    if (way.to === 'FEES') {
      return { ...none, file_id, number, state: 'BOOKED', reason: null, booked: money }
    }
    if (way.to === 'SUSPENSE') {
      const { reason } = way
      return { ...none, file_id, number, state: 'SUSPENDED', reason, booked: money }
    }
    return { ...none, file_id, number, state: 'SHOWN', reason: null, booked: undefined }
  })
  return Write.all(
    tx.db,
    updateDecided(tx, decided),
    writeBookings(
      tx,
      decided.flatMap(({ booked: money, ...record }) => {
        if (money === undefined || money.amount === 0n) return []
        return [record.state === 'BOOKED' ? feeOf(money, record) : intoSuspense(money, record)]
      }),
    ),
  )
}

/** The write of a batch of the engine about the records that it has decided. */
function followOf(asked: readonly Placed[]): Follow['write'] {
  const byKey = new Map(asked.map((placed) => [keyOf(placed.record), placed]))
  return (tx, all) => {
    // A repeat was written with its first answer.
    const fresh = all.filter(({ answer }) => !answer.repeated)
    const decided = fresh.flatMap(({ key, answer }) => {
      const placed = byKey.get(key)
      return placed ? [{ placed, answer }] : []
    })
    return Write.all(
      tx.db,
      updateDecided(
        tx,
        decided.map(({ placed, answer }) => decidedOf(placed.record, answer)),
      ),
      updateReversed(
        tx,
        decided.flatMap(({ placed: { way }, answer }): Sibling[] =>
          answer.approved && way.to === 'REVERSAL' ? [way.of] : [],
        ),
      ),
      writeBookings(
        tx,
        decided.flatMap(({ placed: { record }, answer }) => {
          const money = settledOf(record)
          return answer.approved || !money ? [] : [intoSuspense(money, record)]
        }),
      ),
    )
  }
}

function decidedOf(record: WaitingRecord, answer: Followed['answer']): DecidedRecord {
  const { approved, transaction_id, status_code } = answer
  return {
    file_id: record.file_id,
    number: record.number,
    state: approved ? 'POSTED' : 'SUSPENDED',
    transaction_id,
    status_code,
    reason: approved ? null : 'DECLINED',
    booked: approved ? undefined : settledOf(record),
  }
}
