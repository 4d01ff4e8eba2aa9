/** Money in and out of card accounts by calls of a client (D-35, D-111). */

import { lockAccounts, Movements, programAccountId } from '#issuing/ledger/ledger.ts'
import { requireWithinLimits } from '#issuing/limits/limits.ts'
import type { Context, Tx } from '#kit/context.ts'
import { rehearse } from '#kit/db/savepoints.ts'
import type { Write } from '#kit/db/write.ts'
import { gatherSync } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { type Joining, type Performed, RequestLists, resultsOf } from '#kit/http/request_lists.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { type Money, readMoney } from './money.ts'
import { accountAfter, type Moved, noted, requireMovable } from './movement.ts'
import { checkTransfer } from './rules.ts'
import type { FundsInput, TransferInput } from './schema.ts'
import { listMovableRows, type MovableRow } from './store.ts'

/** From program funding to a card account, back to it, or from one card account to another. */
export type FundsRequest =
  | { kind: 'LOAD' | 'UNLOAD'; account_id: string; input: FundsInput }
  | { kind: 'TRANSFER'; input: TransferInput }

type Rows = ReadonlyMap<string, MovableRow>
/** A request without faults; undefined is program funding. */
type Checked = { money: Money; from: MovableRow | undefined; to: MovableRow | undefined }

/**
 * Moves money for each request behind those before it; `last` writes all of it, or nothing.
 *
 * Accounts are `locked` by their ids, then the counters of users, then the funding: a wait for the
 * counters must not hold up all other loads (D-932, D-935). Without locks the COMMIT fails if an
 * account has changed meanwhile (D-393).
 *
 * Fails with 400 on currency, amount and accounts that do not exist (D-114), 404, 409
 * account_not_active, outgoing_transfers_not_allowed, incoming_transfers_not_allowed,
 * insufficient_funds, balance_too_large, and those of balance limits (D-41). A request of several
 * that fails has no result; nor has one whose limits are asked under locks, if there are none.
 */
export async function moveFunds(
  tx: Tx,
  requests: readonly FundsRequest[],
  locked: boolean,
): Promise<Performed<Moved> & { last: Write }> {
  const rows = await (locked ? lockRows(tx, requests) : listRows(tx, requests))
  const all = resultsOf(requests, (request) => {
    const checked = check(request, rows)
    return locked || !isLimited(checked) ? checked : undefined
  })
  if (locked) for (const checked of all) await requireWithin(tx, checked)
  const funding = locked ? await lockAccounts(tx, fundingsOf(tx, requests)) : []
  const movements = new Movements(tx, [...rows.values(), ...funding])
  const results = resultsOf(requests, (request, at) => {
    const checked = all[at]
    return checked && moveOne(tx, movements, request, checked)
  })
  return { results, last: movements.write(tx) }
}

/** One request under locks: it waits for what others have locked. */
export function moveFundsOnce(ctx: Context | Tx, request: FundsRequest): Promise<Moved> {
  const { dry_run = false } = request.input
  return rehearse(ctx, dry_run, async (tx) => {
    const { results, last } = await moveFunds(tx, [request], true)
    void tx.withCommit(last)
    const [moved] = results
    if (!moved) throw new Error('a movement has no result')
    return dry_run ? { ...moved, transfer_id: undefined } : moved
  })
}

const lists = new RequestLists((tx, requests: readonly FundsRequest[]) =>
  moveFunds(tx, requests, false),
)

/** The same in a list with others; undefined if it has to be done by itself. */
export async function moveFundsInList(ctx: Context, joining: Joining<FundsRequest, Moved>) {
  const { request } = joining
  return request.input.dry_run ? undefined : lists.join(ctx, joining, accountIdsOf(request))
}

/** The ids of card accounts; a list also reads the funding accounts. */
function accountIdsOf(request: FundsRequest): string[] {
  if (request.kind !== 'TRANSFER') return [request.account_id.toLowerCase()]
  const { sender_account_id, recipient_account_id } = request.input
  return [sender_account_id.toLowerCase(), recipient_account_id.toLowerCase()]
}

const fundingsOf = ({ tenant_id }: Tx, requests: readonly FundsRequest[]): string[] => [
  ...new Set(
    requests.flatMap(({ kind, input }) =>
      kind === 'TRANSFER' ? [] : [programAccountId(tenant_id, 'FUNDING', input.currency)],
    ),
  ),
]

/** The card accounts. */
async function lockRows(tx: Tx, requests: readonly FundsRequest[]): Promise<Rows> {
  const ids = [...new Set(requests.flatMap(accountIdsOf))]
  // Sent together and run in this order: the second reads what is locked.
  const [, rows] = await allOf([lockAccounts(tx, ids), listRowsOf(tx, ids, requests)])
  return rows
}

/** The card accounts and the funding accounts. */
const listRows = (tx: Tx, requests: readonly FundsRequest[]): Promise<Rows> =>
  listRowsOf(
    tx,
    [...new Set(requests.flatMap(accountIdsOf)), ...fundingsOf(tx, requests)],
    requests,
  )

async function listRowsOf(
  tx: Tx,
  ids: readonly string[],
  requests: readonly FundsRequest[],
): Promise<Rows> {
  const hasTransfers = requests.some(({ kind }) => kind === 'TRANSFER')
  const rows = await listMovableRows(tx, ids, hasTransfers)
  return new Map(rows.map((row) => [row.id, row]))
}

function check(request: FundsRequest, rows: Rows): Checked {
  if (request.kind === 'TRANSFER') return checkParties(request, rows)
  const money = readMoney(request.input)
  const account = cardAccount(rows, request.account_id)
  if (!account) throw new ApiError('not_found')
  requireMovable(account, money)
  return request.kind === 'LOAD'
    ? { money, from: undefined, to: account }
    : { money, from: account, to: undefined }
}

function checkParties({ input }: FundsRequest & { kind: 'TRANSFER' }, rows: Rows): Checked {
  const { sender_account_id, recipient_account_id } = input
  const gathered = gatherSync(
    () => readMoney(input),
    () => required(rows, sender_account_id, 'sender_account_id'),
    () => required(rows, recipient_account_id, 'recipient_account_id'),
    () => {
      if (sender_account_id.toLowerCase() !== recipient_account_id.toLowerCase()) return
      throw invalid('recipient_account_id', 'must be another account than the sender')
    },
  )
  const [money, from, to] = gathered.complete()
  for (const account of [from, to]) requireMovable(account, money)
  unwrap(checkTransfer(from, to))
  return { money, from, to }
}

/** Clients name card accounts only, not the tenant's own. */
function cardAccount(rows: Rows, id: string): MovableRow | undefined {
  const row = rows.get(id.toLowerCase())
  return row?.kind === 'CARD' ? row : undefined
}

function required(rows: Rows, id: string, field: string): MovableRow {
  const account = cardAccount(rows, id)
  if (!account) throw invalid(field, 'does not exist')
  return account
}

async function requireWithin(tx: Tx, checked: Checked | undefined): Promise<void> {
  if (!checked || !isLimited(checked)) return
  const { money, from, to } = checked
  await requireWithinLimits(tx, { amount: money.amount, from, to })
}

const isLimited = ({ from, to }: Checked): boolean => Boolean(from?.limited || to?.limited)

function moveOne(
  tx: Tx,
  movements: Movements,
  { kind, input: { notes } }: FundsRequest,
  { money, from, to }: Checked,
): Moved {
  const funding = programAccountId(tx.tenant_id, 'FUNDING', money.currency)
  const [debit_account_id, credit_account_id] = [from?.id ?? funding, to?.id ?? funding]
  const transfer_id = movements.add({
    kind,
    debit_account_id,
    credit_account_id,
    ...money,
    ...noted(notes),
  })
  const after = (row: MovableRow | undefined) =>
    row && accountAfter(tx.now, row, movements.accounts)
  return { transfer_id, money, notes, from: after(from), to: after(to) }
}
