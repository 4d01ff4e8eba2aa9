/** A person resolves a record in suspense (D-1043): once, with a note, and never without money. */

import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, transact } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { newId } from '#lib/id.ts'
import { ApiError, TransientError } from '#lib/result.ts'
import { openAccounts, outOfSuspense, settledOf, writeBookings, writtenOff } from './bookings.ts'
import {
  claimSuspended,
  findRecord,
  type RecordRow,
  type Resolved,
  releaseSuspended,
  updateResolved,
} from './record_store.ts'
import { presentmentOf } from './rules/requests.ts'
import type { Resolution } from './schema.ts'

/**
 * 404, and 409 `record_not_suspended`, `record_in_hand` (another person resolves it now) and
 * `record_not_postable`, with the status code of the engine.
 */
export async function resolveRecord(
  ctx: Context,
  engine: Authorizer,
  { id, number }: { id: string; number: number },
  resolution: Resolution,
): Promise<RecordRow> {
  if (resolution.card_id !== undefined && resolution.action !== 'POST') {
    throw invalid('card_id', 'is for POST only')
  }
  const record = await claimSuspended(ctx, id, number)
  if (!record) throw await whyNot(ctx, id, number)
  try {
    if (resolution.action === 'POST') await postTo(ctx, engine, record, resolution)
    else await bookOut(ctx, record, resolution)
  } catch (error) {
    await releaseSuspended(ctx, record)
    throw error
  }
  const resolved = await findRecord(ctx, id, number)
  if (!resolved) throw new ApiError('not_found')
  return resolved
}

async function whyNot(ctx: Context, id: string, number: number): Promise<ApiError> {
  const found = await findRecord(ctx, id, number)
  if (!found) return new ApiError('not_found')
  if (found.state === 'SUSPENDED') return new TransientError('record_in_hand')
  return new ApiError('record_not_suspended')
}

const resolvedBy = ({ actor, member }: Context): string => member?.id ?? actor.id

async function bookOut(ctx: Context, record: RecordRow, { action, note }: Resolution) {
  const { file_id, number, credit } = record
  const money = settledOf(record)
  const isReturned = action === 'RETURN'
  const resolution = isReturned ? 'RETURNED' : 'WRITTEN_OFF'
  await transact(ctx, async (tx) => {
    recordChange(tx)
    if (money) await openAccounts(tx, [money.currency])
    const changed: Resolved = {
      ...{ file_id, number, resolution, note, resolved_by: resolvedBy(ctx) },
      ...{ transaction_id: null, card_id: null },
    }
    const booking = money && (isReturned ? outOfSuspense : writtenOff)(money, credit)
    await Write.all(
      tx.db,
      updateResolved(tx, changed),
      writeBookings(tx, booking && booking.amount > 0n ? [booking] : []),
    ).start()
  })
}

async function postTo(
  ctx: Context,
  engine: Authorizer,
  record: RecordRow,
  { card_id = record.card_id ?? undefined, note }: Resolution,
): Promise<void> {
  const { file_id, number, amount, currency, credit } = record
  const isPresentment = record.kind === 'PRESENTMENT' && amount !== null && currency !== null
  if (!isPresentment || card_id === undefined) {
    throw new ApiError('record_not_postable', { extra: { card_id: card_id ?? null } })
  }
  const money = settledOf(record)
  const posted = { ...record, card_id, amount, currency }
  const answer = await engine.submit(ctx.tenant_id, {
    ...(ctx.audited && { audited: ctx.audited }),
    request: presentmentOf(posted, undefined, newId()),
    follow: {
      key: `${file_id}.${number}`,
      write: (tx, [first]) => {
        if (!first?.answer.approved) return Write.of(tx.db)
        const { transaction_id } = first.answer
        const resolved = { resolution: 'POSTED' as const, note, resolved_by: resolvedBy(ctx) }
        return Write.all(
          tx.db,
          updateResolved(tx, { file_id, number, transaction_id, card_id, ...resolved }),
          writeBookings(tx, money ? [outOfSuspense(money, credit)] : []),
        )
      },
    },
  })
  if (!answer.approved) {
    throw new ApiError('record_not_postable', { extra: { status_code: answer.status_code } })
  }
}
