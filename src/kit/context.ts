import { CommitInDoubt, type Db } from '#kit/db/database.ts'
import type { WithCommit } from '#kit/db/db.ts'
import { type DueTimes, upsertDueTimes } from '#kit/db/due_times.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { CommittedError } from '#lib/result.ts'
import type { AuditEntry, AuditedRequest } from './audit_log/request.ts'
import { recordChanges } from './audit_log/writing.ts'
import type { Event } from './event.ts'
import type { Profile } from './profile.ts'

/** The caller. `id` is the API key, merchant or sweep that is responsible for the changes. */
export type Actor = { kind: 'client' | 'operator' | 'merchant' | 'network' | 'system'; id: string }

/** The person behind a session, and the session itself (D-133). Callers declare the role. */
export interface Member {
  /** The id of the person, who has one membership. */
  id: string
  membership_id: string
  session_id: string
  /** Null for the operator's team. */
  tenant_id: string | null
  /** When the session ends, used or not. */
  expires: Date
  /** The tenant requires a second factor, which the person does not have (D-140). */
  lacks_second_factor: boolean
}

/** The cryptography under keys of cards. The vault declares its functions. */
export interface Custody {
  /** The place of the keys: an installation keeps its custody (D-1010). */
  readonly place: 'SOFTWARE' | 'MODULE'
}

/** The inputs of every use case: the caller, the tenant, the time and the database. */
export type Context = {
  readonly tenant_id: string
  /** The instant of the request on the tenant's clock (D-70): one for the whole request. */
  readonly now: Date
  /** The capacity in which the caller acts. */
  readonly actor: Actor
  /** Set if the request comes with a session: audit records name this person (D-143). */
  readonly member?: Member
  /** The request, if it is one of those that are recorded (D-500). */
  readonly audited?: AuditedRequest
  readonly db: Db
  readonly keys: Keyring
  readonly custody: Custody
  /** The permissions of this deployment (D-378). */
  readonly profile: Profile
  /**
   * Wakes the workers of this process that wait for `channel`; other processes poll. If the tenant
   * is named, workers that keep to it need not look for others.
   */
  readonly notify: (channel: string, tenant_id?: string) => void
  /**
   * Runs the due jobs of a tenant now; called when its clock moves, so that time passes at once
   * (D-70). Returns the names of those that are still running (D-479).
   */
  readonly runDueJobs: (tenant_id: string) => Promise<readonly string[]>
  /** Lets later slices react to an event, in the transaction that wrote it. */
  readonly react: (tx: Tx, event: Event) => Promise<void>
}

/** A context inside a transaction. Functions that write require a Tx. */
export type Tx = Context & {
  readonly afterCommit: (action: () => void) => void
  /**
   * Starts a write that nothing in the transaction waits for: it travels with the COMMIT. If a
   * statement of it fails, its error ends the transaction.
   */
  readonly withCommit: WithCommit
  /** When what it writes is due (kit/jobs/due_work.ts); written with the COMMIT. */
  readonly dueTimes?: DueTimes
  /** The audit records of its requests; written with the COMMIT. */
  readonly changes?: AuditEntry[]
}

/**
 * A Tx over the connection of a line (kit/db/connections/line.ts). All that is written there is one
 * write, which its function returns.
 */
export const onLine = (ctx: Context, db: Db, afterCommit: Tx['afterCommit'] = () => {}): Tx => ({
  ...ctx,
  db,
  afterCommit,
  withCommit() {
    throw new Error('a line sends one write, and nothing beside it')
  },
})

export const isTx = (ctx: Context | Tx): ctx is Tx => 'afterCommit' in ctx

/**
 * Opens a transaction, or joins the one that the caller has already opened. An error rolls back,
 * except a CommittedError, which is thrown after the commit.
 */
export async function transact<Result>(
  ctx: Context | Tx,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (isTx(ctx)) return work(ctx)
  let actions: (() => void)[] = []
  const outcome = await ctx.db.runTransaction(async (db, withCommit) => {
    actions = []
    const afterCommit = (action: () => void) => actions.push(action)
    const dueTimes: DueTimes = { tenant_id: ctx.tenant_id, times: new Map() }
    const changes: AuditEntry[] = []
    const tx = { ...ctx, db, afterCommit, withCommit, dueTimes, changes }
    const done = await outcomeOf(work(tx))
    if (changes.length > 0) void withCommit(recordChanges(tx, changes))
    if (dueTimes.times.size > 0) void withCommit(upsertDueTimes(db, dueTimes))
    return done
  })
  afterCommitted(actions)
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** Nothing that fails behind the COMMIT may be taken for a failure of the transaction. */
export function afterCommitted(actions: readonly (() => void)[]): void {
  try {
    for (const action of actions) action()
  } catch (error) {
    throw new CommitInDoubt(error)
  }
}

async function outcomeOf<Result>(
  work: Promise<Result>,
): Promise<{ result: Result } | { error: CommittedError }> {
  try {
    return { result: await work }
  } catch (error) {
    if (error instanceof CommittedError) return { error: error }
    throw error
  }
}
