/** Holds that have come to their end, and approvals that the network never got. */

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeBatchId } from '#events/event_batches.ts'
import { emitBatch } from '#events/outbox.ts'
import { writeLedger } from '#issuing/ledger/ledger.ts'
import {
  listAccountCounters,
  lockUserCounters,
  upsertChainCounters,
  upsertUserCounters,
} from '#issuing/limits/limits.ts'
import type { HolderCounters } from '#issuing/limits/rules.ts'
import { mergeSettings } from '#issuing/tenants/tenants.ts'
import { writeTransactions } from '#issuing/transactions/transactions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { tenantsWithDue } from '#kit/jobs/due_tenants.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { expire } from './decide/messages/expire.ts'
import type { OpenTransaction } from './decide/rows.ts'
import { chainsCounted } from './decide/state/counters.ts'
import { NO_CARDS } from './decide/state/gathered.ts'
import { reversalOf } from './decide/state/unanswered.ts'
import { WorkingSet } from './decide/state/working_set.ts'
import type { Authorizer } from './engine/engine.ts'
import { findTenantSettings, lockFreeAccounts } from './engine/store/cards.ts'
import { listOriginals } from './engine/store/originals.ts'
import { claimUnanswered, UNANSWERED, unansweredDue } from './engine/store/unanswered.ts'

const HOLDS_A_PORTION = 200

export const holdExpiry: Sweep = {
  name: 'hold expiry',
  // Batches of decisions note no time; a hold lasts days.
  every_ms: SELDOM_MS,
  dueTenants: tenantsWithDue('transactions', 'hold_expires', sql`d.held > 0`),
  run: (ctx) => transact(ctx, expireHolds),
}

async function expireHolds(tx: Tx): Promise<{ more: boolean }> {
  const ids = await dueHolds(tx)
  if (ids.length === 0) return { more: false }
  const [accounts, { settings, subscribers }, originals] = await Promise.all([
    // One that is locked elsewhere holds up no other: its holds come later (D-933).
    lockFreeAccounts(tx, [], ids),
    findTenantSettings(tx),
    listOriginals(tx, { ids, message_keys: [], by_rrn: [] }),
  ])
  if (accounts.length === 0) return { more: false }
  const free = new Set(accounts.map(({ id }) => id))
  const transactions = originals.transactions.filter(({ row }) => free.has(row.account_id ?? ''))
  const { tenant_id, now } = tx
  const read = { accounts, transactions, counters: await countersOf(tx, accounts, transactions) }
  const gathered = { ...NO_CARDS, tenant_id, now, ...read, messages: [], named: new Map() }
  const workingSet = new WorkingSet({ ...gathered, settings: mergeSettings(settings) })
  // A clearing may have come between the query and the lock; only holds that are still due end.
  const due = transactions.filter(
    ({ row }) => row.held > 0n && row.hold_expires !== null && row.hold_expires <= now,
  )
  for (const open of due) expire(workingSet, open)
  workingSet.counters.recount()
  await Write.all(
    tx.db,
    writeLedger(tx, {
      accounts: workingSet.changedAccounts,
      counters: workingSet.limits.accountCounters,
      transfers: [],
    }),
    upsertUserCounters(tx, workingSet.limits.userCounters.changed),
    upsertChainCounters(tx, workingSet.counters.changedChains),
    writeTransactions(tx, { created: [], changed: workingSet.changed }),
    emitBatch(tx, makeBatchId(), workingSet.events, subscribers),
  ).start()
  return { more: ids.length === HOLDS_A_PORTION }
}

/**
 * The counters of the accounts, which are locked, and of the users that the transactions were
 * counted at.
 */
async function countersOf(
  tx: Tx,
  accounts: readonly { id: string }[],
  transactions: readonly OpenTransaction[],
): Promise<HolderCounters[]> {
  const chains = chainsCounted(transactions)
  const locked = new Set(accounts.map(({ id }) => id))
  const counters = await Promise.all([
    listAccountCounters(tx, new Map([...chains].filter(([id]) => locked.has(id)))),
    lockUserCounters(
      tx,
      [...chains.keys()].filter((id) => !locked.has(id)),
    ),
  ])
  return counters.flat()
}

async function dueHolds({ db, tenant_id, now }: Context): Promise<string[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('held', '>', 0n)
    .where('hold_expires', '<=', now)
    .orderBy('hold_expires')
    .limit(HOLDS_A_PORTION)
    .execute()
  return rows.map(({ id }) => id)
}

/** One tenant's locked accounts must not delay the reversals of the others, milliseconds. */
const REVERSING_MS = 1_000

/**
 * Reverses approvals that the network never got, on real time. A reversal that fails is due again
 * later (D-301).
 */
export const reverseUnanswered = (engine: Authorizer): Sweep => ({
  ...unansweredDue,
  channel: UNANSWERED,
  // An account may be locked: a clock that moves does not wait for it.
  outside: true,
  async run(ctx) {
    const { due, more } = await claimUnanswered(ctx)
    const reversed = due.map(async ({ row, ...reverses }) => {
      if (!row) throw new Error(`transaction ${reverses.transaction_id} is missing`)
      await engine.submit(ctx.tenant_id, { request: reversalOf(row, reverses), reverses })
    })
    await Promise.race([Promise.all(reversed), wait(REVERSING_MS, undefined, { ref: false })])
    return { more }
  },
})
