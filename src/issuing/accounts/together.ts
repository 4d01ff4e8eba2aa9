/**
 * Movements of one tenant that arrive at one time, in one transaction (D-393): read without a lock,
 * decided, and sent with the COMMIT in one go. Movements that fail here are done one by one
 * (funds.ts).
 */

import { Movements, programAccountId } from '#issuing/ledger/ledger.ts'
import { type Context, onLine } from '#kit/context.ts'
import { limitLocks } from '#kit/db/locks.ts'
import { Write } from '#kit/db/write.ts'
import type { Finished } from '#kit/http/idempotency.ts'
import type { MaybeKeep } from '#kit/http/route.ts'
import {
  decideEach,
  type Joining,
  keepEach,
  servedTogether,
  usedKeys,
  withoutFault,
} from '#kit/http/together.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { type Money, readMoney } from './money.ts'
import { accountAfter, fundsAnswer, noted, requireMovable, transferAnswer } from './movement.ts'
import { checkTransfer } from './rules.ts'
import type { FundsInput, TransferInput } from './schema.ts'
import { listMovableRows, type MovableRow } from './store.ts'

type Parties =
  | { kind: 'LOAD' | 'UNLOAD'; account_id: string }
  | { kind: 'TRANSFER'; sender_id: string; recipient_id: string }
type Request = Joining & Parties & { money: Money; notes: string | undefined }

export function loadTogether(ctx: Context, id: string, input: FundsInput, keep: MaybeKeep) {
  return moveTogether({ ctx, keep }, input, { kind: 'LOAD', account_id: id.toLowerCase() })
}

export function unloadTogether(ctx: Context, id: string, input: FundsInput, keep: MaybeKeep) {
  return moveTogether({ ctx, keep }, input, { kind: 'UNLOAD', account_id: id.toLowerCase() })
}

export function transferTogether(ctx: Context, input: TransferInput, keep: MaybeKeep) {
  const sender_id = input.sender_account_id.toLowerCase()
  const recipient_id = input.recipient_account_id.toLowerCase()
  return moveTogether({ ctx, keep }, input, { kind: 'TRANSFER', sender_id, recipient_id })
}

/** Undefined if the movement has to be made by itself. */
async function moveTogether(
  joining: Joining,
  input: FundsInput | TransferInput,
  move: Parties,
): Promise<Finished | undefined> {
  if (input.dry_run) return undefined
  const money = withoutFault(() => readMoney(input))
  return money && join({ ...joining, ...move, money, notes: input.notes }, accountsOf(move))
}

const accountsOf = (move: Parties): string[] =>
  move.kind === 'TRANSFER' ? [move.sender_id, move.recipient_id] : [move.account_id]

const join = servedTogether<Request>(serve)

async function serve(ctx: Context, requests: readonly Request[]) {
  const { rows, used } = await gatherFor(ctx, requests)
  const movements = new Movements(ctx, [...rows.values()])
  const answers = decideEach(requests, used, (one) => decide(ctx.now, one, rows, movements))
  if (answers.size === 0) return answers
  const line = await ctx.db.openLine()
  try {
    await line.send((db) => {
      const tx = onLine(ctx, db)
      return Write.all(db, limitLocks(tx), keepEach(tx, answers), movements.write(tx))
    })
    return answers
  } finally {
    line.release()
  }
}

async function gatherFor(ctx: Context, requests: readonly Request[]) {
  const ids = new Set<string>()
  for (const request of requests) {
    for (const id of accountsOf(request)) ids.add(id)
    if (request.kind !== 'TRANSFER') ids.add(fundingOf(ctx, request.money))
  }
  const hasTransfers = requests.some(({ kind }) => kind === 'TRANSFER')
  // Both are sent together on one connection.
  const [rows, used] = await ctx.db.runSession((db) =>
    Promise.all([
      listMovableRows({ ...ctx, db }, [...ids], hasTransfers),
      usedKeys({ ...ctx, db }, requests),
    ]),
  )
  return { rows: new Map(rows.map((row) => [row.id, row])), used }
}

const fundingOf = ({ tenant_id }: Context, { currency }: Money) =>
  programAccountId(tenant_id, 'FUNDING', currency)

type Rows = ReadonlyMap<string, MovableRow>

/** Plans a movement behind those before it; returns its answer. Fails as the movement by itself. */
function decide(
  now: Date,
  request: Request,
  rows: Rows,
  movements: Movements,
): Finished | undefined {
  const { money, notes, keep, kind, ctx } = request
  // Balance limits are asked under locks: the movement is made by itself.
  if (accountsOf(request).some((id) => rows.get(id)?.limited)) return undefined
  const parties = accountsOf(request).map((id) => movable(rows, id, money))
  const [account = '', other = fundingOf(ctx, money)] = parties
  if (kind === 'TRANSFER') checkParties(rows, account, other)
  const [debit_account_id, credit_account_id] =
    kind === 'LOAD' ? [other, account] : [account, other]
  const movement = { kind, debit_account_id, credit_account_id, ...money, ...noted(notes) }
  const planned = movements.plan(movement)
  const asked = { money, notes, transfer_id: planned.transfer_id }
  const after = (id: string) => accountAfter(now, rows.get(id), planned.accounts)
  const finished = keep.finish(
    kind === 'TRANSFER'
      ? transferAnswer(asked, after(account), after(other))
      : fundsAnswer(asked, after(account)),
  )
  movements.add(movement, planned)
  return finished
}

function movable(rows: Rows, id: string, money: Money): string {
  const account = rows.get(id)
  if (account?.kind !== 'CARD') throw new ApiError('not_found')

  requireMovable(account, money)
  return id
}

function checkParties(rows: Rows, sender: string, recipient: string): void {
  if (sender === recipient) throw new ApiError('validation_failed')
  const partyOf = (id: string) => ({ id, auth_settings: rows.get(id)?.auth_settings ?? undefined })
  unwrap(checkTransfer(partyOf(sender), partyOf(recipient)))
}
