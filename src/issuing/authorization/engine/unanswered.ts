/**
 * Approvals that took effect but whose answer the network never got (D-301). Each has a row until
 * it is reversed, so that neither an outage nor the end of this process leaves its money held.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { databaseNow } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import type { Services } from '#kit/http/callers.ts'
import { tenantsWith } from '#kit/jobs/sweeper.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { engineContext } from './context.ts'
import { updateReversedAnswers } from './message_store.ts'
import { listOriginals } from './store.ts'

/** Wakes the sweep that reverses them. */
export const UNANSWERED = 'unanswered approvals'

/** One approved request whose sender got no answer. */
export type Unanswered = {
  /** Its duplicate key. */
  message_key: string
  transaction_id: string
  processing_code: string
  /** What it was approved for, minor units of the transaction's currency. */
  amount: bigint
}

/** A hold or posting is there to be reversed. */
export const isReversible = (
  { message_type }: AuthorizationRequest,
  { approved, amount, repeated }: AuthorizationAnswer,
): boolean =>
  approved && !repeated && amount > 0n && (message_type === '0100' || message_type === '0200')

/** The approval that the network never got; undefined for a request that has no duplicate key. */
export function unansweredOf(
  { duplicate_key, processing_code }: AuthorizationRequest,
  { transaction_id, amount }: AuthorizationAnswer,
): Unanswered | undefined {
  if (duplicate_key === undefined) return undefined
  return { message_key: duplicate_key, transaction_id, processing_code, amount }
}

/**
 * The names of a reversal by the platform and of its original. The key cannot be one of the
 * network's, and stays the same in every try.
 */
export function namesOf({ message_key, transaction_id }: Unanswered) {
  const withoutRrn = message_key.slice(0, message_key.lastIndexOf('|'))
  return {
    original: { transaction_id, message_key: withoutRrn },
    duplicate_key: `UNSENT|${message_key}`,
  }
}

/** The reversal of an approval, made from its transaction: no card number is stored for it. */
export function reversalOf(row: TransactionRow, one: Unanswered): AuthorizationRequest {
  const { card_id, currency, merchant, pos, rrn, stan } = row
  if (card_id === null) throw new Error(`transaction ${row.id} was approved without a card`)
  const { processing_code, amount } = one
  return {
    ...{ message_type: '0420', processing_code, amount, currency, merchant, pos },
    ...{ entry_mode: pos.entry_mode, card: { card_id }, three_ds: 'NONE' },
    ...{ recurring: false, partial_capable: false, is_verification: false },
    ...(rrn !== null && { rrn }),
    ...(stan !== null && { stan }),
    ...namesOf(one),
  }
}

/**
 * Stores them until they are reversed. Their repeats are declined from now on: an approval that is
 * going to be reversed must not be repeated.
 */
export async function insertUnanswered(ctx: Context, all: readonly Unanswered[]): Promise<void> {
  await transact(ctx, async (tx) => {
    await Promise.all([
      sql`
        insert into unanswered_approvals
          (tenant_id, due, created, message_key, transaction_id, processing_code, amount)
        select ${tx.tenant_id}::uuid, ${databaseNow}, ${databaseNow}, *
        from rows from (unnest(${textArray(all.map((one) => one.message_key))}::text[]),
          unnest(${plainArray(all.map((one) => one.transaction_id))}::uuid[]),
          unnest(${textArray(all.map((one) => one.processing_code))}::text[]),
          unnest(${plainArray(all.map((one) => one.amount))}::bigint[]))
        on conflict (tenant_id, message_key) do nothing`.execute(tx.db),
      updateReversedAnswers(
        tx,
        all.map((one) => ({ ...namesOf(one).original, amount: one.amount })),
      ),
    ])
  })
}

/** In the transaction of their reversal. */
export async function deleteUnanswered(tx: Tx, message_keys: readonly string[]): Promise<void> {
  if (message_keys.length === 0) return
  await sql`
    delete from unanswered_approvals
    where tenant_id = ${tx.tenant_id} and message_key = any (${message_keys}::text[])`.execute(
    tx.db,
  )
}

type Claimed = Unanswered & { row: TransactionRow | undefined }

const CLAIMS = 100
/** The pause before the next try grows from one second to this, seconds. */
const LONGEST_RETRY_S = 60

/** Takes those that are due, with their transactions; they are due again if this try fails. */
export async function claimUnanswered(ctx: Context): Promise<{ due: Claimed[]; more: boolean }> {
  const { rows } = await sql<Unanswered>`
    update unanswered_approvals
    set tries = tries + 1,
      due = ${databaseNow}
        + least(power(2, least(tries, 10)), ${LONGEST_RETRY_S}::int) * interval '1 second'
    where tenant_id = ${ctx.tenant_id} and message_key in (
      select message_key from unanswered_approvals
      where tenant_id = ${ctx.tenant_id} and due <= ${databaseNow}
      order by due limit ${sql.lit(CLAIMS)} for update skip locked)
    returning message_key, transaction_id, processing_code, amount`.execute(ctx.db)
  const ids = [...new Set(rows.map((one) => one.transaction_id))]
  const { transactions } = await listOriginals(ctx, { ids, message_keys: [], by_rrn: [] })
  const byId = new Map(transactions.map(({ row }) => [row.id, row]))
  const due = rows.map((one) => ({ ...one, row: byId.get(one.transaction_id) }))
  return { due, more: rows.length === CLAIMS }
}

/** Tenants that have some due, in real time. */
export const tenantsWithUnanswered = tenantsWith(sql`exists (
  select from unanswered_approvals u where u.tenant_id = t.id and u.due <= ${databaseNow})`)

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** Rows of one statement. */
const PORTION = 500

type Waiting = { all: Map<string, Unanswered>; running: Promise<void> }

/**
 * Those that wait in this process until the database accepts them. Each tenant's by themselves: one
 * whose rows are rejected delays no other.
 */
export class UnansweredQueue {
  readonly #services: Services
  readonly #tenants = new Map<string, Waiting>()
  #stopped = false

  constructor(services: Services) {
    this.#services = services
  }

  /** Resolves when everything that waits is stored, or the queue was stopped. Never rejects. */
  async add(tenant_id: string, more: readonly Unanswered[]): Promise<void> {
    if (this.#stopped) return
    const waiting = this.#tenants.get(tenant_id) ?? { all: new Map(), running: Promise.resolve() }
    for (const one of more) waiting.all.set(one.message_key, one)
    if (!this.#tenants.has(tenant_id)) {
      this.#tenants.set(tenant_id, waiting)
      waiting.running = this.#run(tenant_id, waiting)
    }
    await waiting.running
  }

  idle(): boolean {
    return this.#tenants.size === 0
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(tenant_id: string, { all }: Waiting): Promise<void> {
    let pause = FIRST_PAUSE_MS
    while (all.size > 0 && !this.#stopped) {
      if (await this.#keep(tenant_id, all)) continue
      await wait(pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    this.#tenants.delete(tenant_id)
  }

  /** Tries once; false where the database failed. */
  async #keep(tenant_id: string, all: Map<string, Unanswered>): Promise<boolean> {
    const portion = [...all.values()].slice(0, PORTION)
    try {
      await insertUnanswered(engineContext(this.#services, tenant_id), portion)
    } catch {
      return false
    }
    for (const { message_key } of portion) all.delete(message_key)
    this.#services.notify(UNANSWERED)
    return true
  }
}
