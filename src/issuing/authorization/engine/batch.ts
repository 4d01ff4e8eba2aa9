/** One batch is one transaction: gather under locks, decide without I/O, write, commit. */

import { randomInt } from 'node:crypto'
import { writeLedger } from '#issuing/ledger/ledger.ts'
import { present } from '#issuing/transactions/rules.ts'
import { writeTransactions } from '#issuing/transactions/transactions.ts'
import { savePinFailures } from '#issuing/vault/vault.ts'
import { type Tx, transact } from '#kit/context.ts'
import { transactionId } from '#kit/db/commit_doubt.ts'
import { CommitInDoubt } from '#kit/db/database.ts'
import { makeBatchId } from '#kit/db/event_batches.ts'
import { emitBatch } from '#kit/db/outbox.ts'
import type { Services } from '#kit/http/callers.ts'
import { keepAnswers } from '#kit/http/idempotency.ts'
import { newId } from '#lib/id.ts'
import { decide } from '../decide/decide.ts'
import type { Tries } from '../decide/tries.ts'
import type { WorkingSet } from '../decide/working_set.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { engineContext } from './context.ts'
import { messageFingerprint } from './fingerprint.ts'
import { gather, inputOf, type Placed, placeCards } from './gather.ts'
import type { Job } from './job.ts'
import { setLockTimeout } from './store/batches.ts'
import { upsertUnlinkedCredits } from './store/credits.ts'
import { insertMessages, updateReversedAnswers } from './store/messages.ts'

import { upsertTries } from './store/tries.ts'
import { deleteUnanswered } from './store/unanswered.ts'

/**
 * In the order of the messages; undefined for one that was set aside and must be submitted again.
 */
export type Answers = readonly (AuthorizationAnswer | undefined)[]

/** A batch whose COMMIT got no answer. */
export type Doubt = {
  /** The id of its transaction. */
  xid: string
  /** The first event that it wrote; undefined where it wrote answers only. */
  event_id: string | undefined
  answers: Answers
}

/** The batch is committed as a whole or not at all, and only the database knows which. */
export class BatchInDoubt extends Error {
  override name = 'BatchInDoubt'
  readonly doubt: Doubt
  constructor(cause: CommitInDoubt, doubt: Doubt) {
    super('a batch waits for the answer of its COMMIT', { cause })
    this.doubt = doubt
  }
}

/**
 * Deadlines are compared with the instant of the decision, not of the arrival. Throws BatchInDoubt
 * where COMMIT got no answer; after any other error nothing was committed.
 */
export async function runBatch(
  services: Services,
  tenant_id: string,
  jobs: readonly Job[],
): Promise<Answers> {
  const last: { doubt?: Doubt } = {}
  try {
    return await transact(engineContext(services, tenant_id), async (tx) => {
      const begun = begin(tx)
      begun.catch(() => {})
      const placed = await placeCards(tx, jobs)
      const { workingSet, tries, answers } = await decideAll(tx, placed)
      const batch_id = makeBatchId()
      const event_id = workingSet.events.length > 0 ? batch_id : undefined
      last.doubt = { xid: await begun, event_id, answers }
      await write({ ...tx, now: workingSet.now }, { workingSet, tries, batch_id, placed, answers })
      return answers
    })
  } catch (error) {
    const { doubt } = last
    throw doubt && error instanceof CommitInDoubt ? new BatchInDoubt(error, doubt) : error
  }
}

/** Sent with the first statements, so it costs no round trip. Answers the transaction's id. */
async function begin(tx: Tx): Promise<string> {
  const [xid] = await Promise.all([transactionId(tx), setLockTimeout(tx)])
  return xid
}

async function decideAll(tx: Tx, placed: readonly Placed[]) {
  const { workingSet, aside, ...gathered } = await gather(tx, placed)
  const answers = placed.map((job, at) => {
    if (aside.has(at)) return undefined
    return decide(workingSet, {
      request: job.request,
      id: newId(),
      approval_code: makeApprovalCode(),
      ...inputOf(job, gathered),
      fingerprint: messageFingerprint(tx, job.request),
      late: job.late,
    })
  })
  return { workingSet, tries: gathered.tries, answers }
}

/** Six digits, as DE38 requires. */
const makeApprovalCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

type Decided = {
  workingSet: WorkingSet
  tries: Tries
  /** The id of the row of its events. */
  batch_id: string
  placed: readonly Placed[]
  answers: Answers
}

/**
 * Every statement is started at once, so that they are sent together; each contains whole arrays.
 */
async function write(tx: Tx, decided: Decided): Promise<void> {
  const { workingSet, tries, batch_id } = decided
  const { created, changed, changedAccounts: accounts, transfers } = workingSet
  // Made first: a failure between started statements would leave theirs without a listener.
  const kept = keptAnswers(decided)
  await Promise.all([
    // First: it fails where an account has changed, and orders batches that change one account.
    writeLedger(tx, { accounts, transfers }),
    writeTransactions(tx, { created, changed }),
    emitBatch(tx, batch_id, workingSet.events),
    insertMessages(tx, workingSet.messages),
    updateReversedAnswers(tx, workingSet.undone),
    savePinFailures(tx, workingSet.pinFailures),
    upsertUnlinkedCredits(tx, workingSet.unlinked.changes),
    upsertTries(tx, tries.changed),
    keepAnswers(tx, kept),
    deleteUnanswered(tx, reversedBy(decided)),
  ])
}

function keptAnswers({ workingSet, placed, answers }: Decided) {
  return placed.flatMap(({ keep, shown }, at) => {
    const row = workingSet.transaction(answers[at]?.transaction_id)
    if (shown && row) shown(present(row))
    if (!keep || !row) return []
    return [{ key: keep.key, ...keep.finish(present(row)) }]
  })
}

/** The approvals whose own reversals were decided in this batch. */
const reversedBy = ({ placed, answers }: Decided): string[] =>
  placed.flatMap(({ reverses }, at) => (reverses && answers[at] ? [reverses.message_key] : []))
