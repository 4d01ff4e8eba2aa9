/**
 * Movements of one tenant that arrive at one time, in one transaction (D-393): read without a lock,
 * decided, and sent with the COMMIT in one go. What this cannot do is done one by one (funds.ts).
 */

import { type KeptAccount, Movements, programAccountId } from '#issuing/ledger/ledger.ts'
import type { Context, Tx } from '#kit/context.ts'
import { CommitInDoubt, type Db } from '#kit/db/database.ts'
import { type Finished, keepAnswers, listUsedKeys } from '#kit/http/idempotency.ts'
import type { MaybeKeep } from '#kit/http/route.ts'
import { Batches } from '#lib/batches.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { type Money, readMoney } from './money.ts'
import { accountAfter, fundsAnswer, noted, requireMovable, transferAnswer } from './movement.ts'
import { checkTransfer } from './rules.ts'
import type { FundsInput, TransferInput } from './schema.ts'
import { listMovableRows, type MovableRow, setLockTimeout } from './store.ts'

/** A second batch is read while the first is written. */
const OPTIONS = { size: 64, at_once: 2, waiting: 1_000 }

type Move = { money: Money; notes: string | undefined; keep: MaybeKeep } & (
  | { kind: 'LOAD' | 'UNLOAD'; account_id: string }
  | { kind: 'TRANSFER'; sender_id: string; recipient_id: string }
)
type Request = Move & { ctx: Context }
type Answered = { request: Request; finished: Finished }

export function loadTogether(ctx: Context, id: string, input: FundsInput, keep: MaybeKeep) {
  return moveTogether(ctx, input, (asked) => ({
    ...{ ...asked, kind: 'LOAD', account_id: id.toLowerCase(), keep },
  }))
}

export function unloadTogether(ctx: Context, id: string, input: FundsInput, keep: MaybeKeep) {
  return moveTogether(ctx, input, (asked) => ({
    ...{ ...asked, kind: 'UNLOAD', account_id: id.toLowerCase(), keep },
  }))
}

export function transferTogether(ctx: Context, input: TransferInput, keep: MaybeKeep) {
  const sender_id = input.sender_account_id.toLowerCase()
  const recipient_id = input.recipient_account_id.toLowerCase()
  return moveTogether(ctx, input, (asked) => ({
    ...{ ...asked, kind: 'TRANSFER', sender_id, recipient_id, keep },
  }))
}

/** Undefined where the movement has to be made by itself: nothing of it was written. */
async function moveTogether(
  ctx: Context,
  input: FundsInput | TransferInput,
  moveOf: (asked: Pick<Move, 'money' | 'notes'>) => Move,
): Promise<Finished | undefined> {
  if (input.dry_run) return undefined
  const money = withoutFault(() => readMoney(input))
  if (!money) return undefined
  const request = { ...moveOf({ money, notes: input.notes }), ctx }
  const { key } = request.keep
  // Copies under one key follow each other: the second finds the answer of the first.
  const names = [...accountsOf(request), ...(key ? [`key ${key.key}`] : [])]
  return batchesOf(ctx.db).add(request, names)
}

const known = new WeakMap<Db, Batches<Request, Finished | undefined>>()

/** Each tenant of a process has its own. */
function batchesOf(db: Db): Batches<Request, Finished | undefined> {
  const batches = known.get(db) ?? new Batches(OPTIONS, serve)
  known.set(db, batches)
  return batches
}

const accountsOf = (move: Move): string[] =>
  move.kind === 'TRANSFER' ? [move.sender_id, move.recipient_id] : [move.account_id]

async function serve(requests: readonly Request[]): Promise<(Finished | undefined)[]> {
  const [first] = requests
  if (!first) return []
  const now = new Date(Math.max(...requests.map(({ ctx }) => ctx.now.getTime())))
  const ctx = { ...first.ctx, now }
  const { rows, used } = await gatherFor(ctx, requests)
  const movements = new Movements(ctx, [...rows.values()])
  const answered = requests.flatMap((request) => {
    const key = request.keep.key?.key
    if (key !== undefined && used.has(key)) return []
    const finished = withoutFault(() => decide(now, request, rows, movements))
    if (!finished) return []
    if (key !== undefined) used.add(key)
    return { request, finished }
  })
  if (answered.length === 0 || !(await write(ctx, movements, answered))) {
    return requests.map(() => undefined)
  }
  const answers = new Map(answered.map(({ request, finished }) => [request, finished]))
  return requests.map((request) => answers.get(request))
}

async function gatherFor(ctx: Context, requests: readonly Request[]) {
  const ids = new Set<string>()
  for (const request of requests) {
    for (const id of accountsOf(request)) ids.add(id)
    if (request.kind !== 'TRANSFER') ids.add(fundingOf(ctx, request.money))
  }
  const keys = requests.flatMap(({ keep }) => keep.key?.key ?? [])
  const hasTransfers = requests.some(({ kind }) => kind === 'TRANSFER')
  // Both are sent together on one connection.
  const [rows, used] = await ctx.db.runSession((db) =>
    Promise.all([
      listMovableRows({ ...ctx, db }, [...ids], hasTransfers),
      keys.length === 0 ? new Set<string>() : listUsedKeys({ ...ctx, db }, keys),
    ]),
  )
  return { rows: new Map(rows.map((row) => [row.id, row])), used }
}

const fundingOf = ({ tenant_id }: Context, { currency }: Money) =>
  programAccountId(tenant_id, 'FUNDING', currency)

type Rows = ReadonlyMap<string, MovableRow>

/** Plans a movement behind those before it; returns its answer. Fails as the movement by itself. */
function decide(now: Date, request: Request, rows: Rows, movements: Movements): Finished {
  const { money, notes, keep, kind, ctx } = request
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
  const account: KeptAccount | undefined = rows.get(id)
  if (account?.kind !== 'CARD') throw new ApiError('not_found')
  requireMovable(account, money)
  return id
}

function checkParties(rows: Rows, sender: string, recipient: string): void {
  if (sender === recipient) throw new ApiError('validation_failed')
  const partyOf = (id: string) => ({ id, auth_settings: rows.get(id)?.auth_settings ?? undefined })
  unwrap(checkTransfer(partyOf(sender), partyOf(recipient)))
}

/** False where nothing was written. Fails with CommitInDoubt where that is unknown. */
async function write(
  ctx: Context,
  movements: Movements,
  answered: readonly Answered[],
): Promise<boolean> {
  const kept = answered.flatMap(({ request: { keep }, finished }) =>
    keep.key ? { key: keep.key, ...finished } : [],
  )
  const line = await ctx.db.openLine()
  try {
    await line.send((db) => {
      const tx: Tx = { ...ctx, db, afterCommit() {}, withCommit() {} }
      return Promise.all([setLockTimeout(tx), keepAnswers(tx, kept, true), movements.write(tx)])
    })
    return true
  } catch (error) {
    if (error instanceof CommitInDoubt) throw error
    return false
  } finally {
    line.release()
  }
}

/** Undefined where the request has a fault, which is found again and answered by itself. */
function withoutFault<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
