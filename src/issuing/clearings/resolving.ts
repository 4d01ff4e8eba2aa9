/**
 * A person resolves a record in suspense (D-1043): once, with a note, and never without money. The
 * record, its booking and what it posts to a card are one transaction with the answer.
 */

import { decideWithin } from '#issuing/authorization/authorization.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import {
  type Booking,
  openAccounts,
  outOfSuspense,
  settledOf,
  writeBookings,
  writtenOff,
} from './bookings.ts'
import { insertReturn } from './outgoing/store.ts'
import {
  findRecord,
  lockRecord,
  type RecordRow,
  type Resolved,
  updateResolved,
} from './record_store.ts'
import { presentmentOf } from './rules/requests.ts'
import type { Resolution } from './schema.ts'

/**
 * 404, and 409 `record_not_suspended` and `record_not_postable`, with the status code of the
 * engine.
 */
export async function resolveRecord(
  tx: Tx,
  { id, number }: { id: string; number: number },
  resolution: Resolution,
): Promise<RecordRow> {
  if (resolution.card_id !== undefined && resolution.action !== 'POST') {
    throw invalid('card_id', 'is for POST only')
  }
  const record = await lockRecord(tx, id, number)
  if (!record) throw new ApiError('not_found')
  if (record.state !== 'SUSPENDED') throw new ApiError('record_not_suspended')
  const { resolved, booking } =
    resolution.action === 'POST'
      ? await postTo(tx, record, resolution)
      : bookOut(record, resolution.action)
  if (booking) await openAccounts(tx, [booking.currency])
  await Write.all(
    tx.db,
    updateResolved(tx, {
      ...resolved,
      ...{ file_id: id, number, note: resolution.note, resolved_by: resolvedBy(tx) },
    }),
    resolution.action === 'RETURN' && booking && booking.amount > 0n && insertReturn(tx, record),
    writeBookings(tx, booking && booking.amount > 0n ? [booking] : []),
  ).start()
  const after = await findRecord(tx, id, number)
  if (!after) throw new ApiError('not_found')
  return after
}

type Outcome = {
  resolved: Pick<Resolved, 'resolution' | 'transaction_id' | 'card_id'>
  booking: Booking | undefined
}

const resolvedBy = ({ actor, member }: Context): string => member?.id ?? actor.id

function bookOut(record: RecordRow, action: 'RETURN' | 'WRITE_OFF'): Outcome {
  const money = settledOf(record)
  const isReturned = action === 'RETURN'
  return {
    resolved: {
      resolution: isReturned ? 'RETURNED' : 'WRITTEN_OFF',
      ...{ transaction_id: null, card_id: null },
    },
    booking: money && (isReturned ? outOfSuspense : writtenOff)(money, record),
  }
}

async function postTo(
  tx: Tx,
  record: RecordRow,
  { card_id = record.card_id ?? undefined }: Resolution,
): Promise<Outcome> {
  const { amount, currency } = record
  const isPresentment = record.kind === 'PRESENTMENT' && amount !== null && currency !== null
  if (!isPresentment || card_id === undefined) {
    throw new ApiError('record_not_postable', { extra: { card_id: card_id ?? null } })
  }
  const money = settledOf(record)
  const posted = { ...record, card_id, amount, currency }
  const answer = await decideWithin(tx, presentmentOf(posted, undefined, newId()))
  const { approved, status_code, transaction_id } = answer
  if (!approved) throw new ApiError('record_not_postable', { extra: { status_code } })
  return {
    resolved: { resolution: 'POSTED', transaction_id, card_id },
    booking: money && outOfSuspense(money, record),
  }
}
