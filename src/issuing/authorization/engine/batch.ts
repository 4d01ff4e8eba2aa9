/**
 * A batch: decided on the rows that were read, without I/O, and written by statements that are sent
 * at once.
 */

import { randomInt } from 'node:crypto'
import { makeBatchId } from '#events/event_batches.ts'
import { emitBatch, type ObjectEvent, type Subscribers } from '#events/outbox.ts'
import { chargesOf, writeCharges } from '#issuing/charges/charges.ts'
import { saveChips } from '#issuing/chips/chips.ts'
import { writeLedger } from '#issuing/ledger/ledger.ts'
import { upsertChainCounters, upsertUserCounters } from '#issuing/limits/limits.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import type { AppliedRate } from '#issuing/rates/rates.ts'
import { writeShadows } from '#issuing/shadows/shadows.ts'
import type { StoredSettings } from '#issuing/tenants/schema.ts'
import { present } from '#issuing/transactions/rules.ts'
import { writeTransactions } from '#issuing/transactions/transactions.ts'
import { type Inquiry, type Proofs, savePinFailures } from '#issuing/vault/vault.ts'
import type { AuditEntry } from '#kit/audit_log/request.ts'
import { recordChanges } from '#kit/audit_log/writing.ts'
import type { Context, Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { keepAnswers } from '#kit/http/idempotency.ts'
import { newId } from '#lib/id.ts'
import type { Case } from '../decide/case.ts'
import { asks as isRequest } from '../decide/checks/proofs.ts'
import { decide } from '../decide/decide.ts'
import { liveCase, UNPROVED } from '../decide/make_case.ts'
import { noteProofs, type Question, questionOf } from '../decide/question.ts'
import type { Unanswered } from '../decide/state/unanswered.ts'
import { WorkingSet } from '../decide/state/working_set.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { messageFingerprint } from './fingerprint.ts'
import type { ReadBatch } from './gathering/gather.ts'
import { overlaid } from './overlay.ts'
import type { Pending } from './pending.ts'
import { assertCommitted, insertQuietBatch } from './store/batches.ts'
import { upsertUnlinkedCredits } from './store/credits.ts'
import { insertMessages, isOfMonthEnd, updateReversedAnswers } from './store/messages.ts'
import type { ProductTerms } from './store/products.ts'
import { upsertTries } from './store/tries.ts'
import { deleteUnanswered } from './store/unanswered.ts'
import { assertUnchanged } from './store/unchanged.ts'

/**
 * The answers in the order of the messages; undefined for one that was set aside and must be
 * submitted again.
 */
export type Answers = readonly (AuthorizationAnswer | undefined)[]

export type Decided = {
  /** The id of the row of its events, by which others see whether it was committed. */
  id: string
  workingSet: WorkingSet
  products: readonly ProductTerms[]
  limits: readonly LimitTerms[]
  lists: readonly ListRule[]
  /** The rates of the currencies of its messages. */
  rates: readonly AppliedRate[]
  /** The tenant's, as they were read. */
  stored_settings: StoredSettings
  /** The subscribers of its events, as they were read. */
  subscribers: Subscribers
  taken: readonly Pending[]
  answers: Answers
  /**
   * The questions to a security module or the tenant's responder, by the places of their messages,
   * which were set aside.
   */
  questions: ReadonlyMap<number, Inquiry | Question>
  /** The key that signs the questions. */
  signing: ReadBatch['signing']
}

type Options = {
  /** Questions to the responder are found; without it a message is decided as if it had none. */
  asks?: boolean
  /** Without it what a module has not found out counts for nothing, and nothing is set aside. */
  proves?: boolean
}

/**
 * Decides a batch on the rows that were read for it and on the writes of the batches before it.
 * Deadlines are compared with the instant of the decision, not of the arrival.
 */
export function decideBatch(
  ctx: Context,
  read: ReadBatch,
  before: readonly WorkingSet[],
  { asks = false, proves = true }: Options = {},
): Decided {
  const found = overlaid(read, before)
  const workingSet = new WorkingSet(found)
  const { taken, products, lists, stored_settings, signing, subscribers } = found
  const { limit_terms: limits, applied_rates: rates } = found
  const questions = new Map<number, Inquiry | Question>()
  const waiting = new Set<string | undefined>()
  const answers = taken.map((pending, at) => {
    // A card's later messages wait for the outcome of the earlier one. Their proofs are asked for
    // meanwhile, once.
    const isBehind = waiting.has(pending.card_id)
    if (found.aside.has(at) || (isBehind && !isToAskAhead(ctx, pending, proves))) return undefined
    const input = liveCase(workingSet, pending, {
      id: pending.asked_id ?? newId(),
      approval_code: makeApprovalCode(),
      proofs: proofsFor(ctx, pending),
      fingerprint: () => messageFingerprint(ctx, pending.request, pending.card_id),
    })
    const inquiry = proves ? inquiryOf(workingSet, input, pending) : undefined
    if (isBehind) {
      if (inquiry) questions.set(at, inquiry)
      return undefined
    }
    const aside = inquiry ?? (asks ? questionOf(workingSet, input) : undefined)
    if (!aside) return decide(workingSet, input)
    questions.set(at, aside)
    waiting.add(pending.card_id)
    return undefined
  })
  const rests_on = { products, lists, limits, rates, stored_settings, subscribers }
  const asked = { questions, signing }
  return { id: makeBatchId(), workingSet, ...rests_on, taken, answers, ...asked }
}

/** Proofs of this message: at once, or what a module has answered about it. An advice asks nothing. */
function proofsFor({ custody: { proving } }: Context, pending: Pending): Proofs {
  if ('proofs' in proving) return proving.proofs
  if (!isRequest(pending.request)) return UNPROVED
  pending.inquiry ??= proving.inquire()
  pending.inquiry.begin()
  return pending.inquiry.proofs
}

const isToAskAhead = ({ custody }: Context, pending: Pending, proves: boolean): boolean =>
  proves && 'inquire' in custody.proving && pending.inquiry === undefined

/** The questions that the message has to ask the module first, if any. */
function inquiryOf(workingSet: WorkingSet, input: Case, { inquiry }: Pending): Inquiry | undefined {
  if (!inquiry) return undefined
  noteProofs(workingSet, input)
  return inquiry.hasQuestions() ? inquiry : undefined
}

/** Six digits, as DE38 requires. */
const makeApprovalCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * Whether it changes anything. A batch of messages that were set aside does not, nor one of
 * declined repeats.
 */
export const hasEffect = ({ workingSet, taken, answers }: Decided): boolean =>
  workingSet.events.length + workingSet.messages.length > 0 ||
  taken.some(({ reverses, keep, follow }, at) => answers[at] && (reverses ?? keep ?? follow))

/**
 * Whether the next batch can be decided on it before it is committed. It cannot if the batch
 * counted or changed something that is in no row that the next one lays over its reading.
 */
export const isFollowable = ({ workingSet }: Decided): boolean =>
  workingSet.undone.length === 0 &&
  workingSet.pinFailures.length === 0 &&
  workingSet.unlinked.changes.length === 0 &&
  workingSet.tries.changed.length === 0

/**
 * All of it as one write; each statement contains whole arrays. `after` is the batch before it, if
 * the outcome of that is not known yet. Fails with a conflict (kit/db/conflict.ts) if anything that
 * it rests on has changed.
 */
export function writeBatch(tx: Tx, decided: Decided, after?: string): Write {
  const { id, workingSet, products, lists, limits, rates } = decided
  const { stored_settings: settings, subscribers } = decided
  const { created, changed, changedAccounts: accounts, limits: inForce } = workingSet
  const users = inForce.userCounters
  const kept = keptAnswers(decided)
  // All have one instant, so a statement has them by their ids: charges after their cause (D-792).
  const moved = workingSet.transfers.map((transfer) => ({ ...transfer, id: newId() }))
  const charges = chargesOf(workingSet, workingSet.charges.wanted)
  return Write.all(
    tx.db,
    // This comes before all others: if the batch before it has failed, no statement waits for a
    // lock.
    after === undefined ? undefined : assertCommitted(tx, after),
    // It fails if an account has changed, and orders batches that change one account.
    writeLedger(tx, {
      accounts,
      counters: inForce.accountCounters,
      transfers: [...moved, ...charges.transfers],
    }),
    // After the accounts, as all that locks both.
    upsertUserCounters(tx, users.changed),
    upsertChainCounters(tx, inForce.counters.changedChains),
    writeTransactions(tx, { created, changed }),
    emitBatch(tx, id, placed(decided), subscribers),
    workingSet.events.length === 0 ? insertQuietBatch(tx, id) : undefined,
    writeCharges(tx, charges.rows, [...workingSet.charges.reversed]),
    insertMessages(tx, [...workingSet.messages, ...workingSet.making.filter(isOfMonthEnd)]),
    updateReversedAnswers(tx, workingSet.undone),
    savePinFailures(tx, workingSet.pinFailures),
    upsertUnlinkedCredits(tx, workingSet.unlinked.changes),
    upsertTries(tx, workingSet.tries.changed),
    saveChips(tx, workingSet.chips.changed),
    keepAnswers(tx, kept),
    recordChanges(tx, recordedBy(decided)),
    writeShadows(tx, workingSet.shadows, workingSet.settings.time_zone),
    deleteUnanswered(tx, reversedBy(decided)),
    ...followedBy(decided).map(([write, followed]) => write(tx, followed)),
    // Last: the nearer to the commit, the more commits of others are seen.
    assertUnchanged(tx, {
      products,
      lists,
      limits,
      rates,
      settings,
      accounts: workingSet.unchangedAccounts,
      counters: users.unchanged.map(({ holder_id: id, version }) => ({ id, version })),
    }),
  )
}

/** Its events with the places of the messages that caused them, where these are traced. */
function placed({ workingSet: { events }, taken, answers }: Decided): readonly ObjectEvent[] {
  const places = taken.flatMap(({ spans }, at) => {
    const id = answers[at]?.transaction_id
    return spans && id !== undefined ? [[id, spans.place] as const] : []
  })
  if (places.length === 0) return events
  const byTransaction = new Map(places)
  return events.map((event) => ({ ...event, place: byTransaction.get(event.object_id) }))
}

function keptAnswers({ workingSet, taken, answers }: Decided) {
  return taken.flatMap(({ keep, shown }, at) => {
    const row = workingSet.transaction(answers[at]?.transaction_id)
    if (shown && row) shown(present(row))
    if (!keep || !row) return []
    return [{ key: keep.key, ...keep.finish(present(row)) }]
  })
}

/** The requests of the API among those decided, with the objects that they have made. */
function recordedBy({ workingSet, taken, answers }: Decided): AuditEntry[] {
  return taken.flatMap(({ audited }, at) => {
    const row = workingSet.transaction(answers[at]?.transaction_id)
    if (!audited || !row) return []
    audited.made(row.id, row.card_id)
    return audited.entry() ?? []
  })
}

/** The decided messages that something else is written with, by the function that writes it. */
function followedBy({ taken, answers }: Decided) {
  const followed = taken.flatMap(({ follow }, at) => {
    const answer = answers[at]
    return follow && answer ? [{ write: follow.write, key: follow.key, answer }] : []
  })
  return [...Map.groupBy(followed, ({ write }) => write)]
}

/** The answers whose reversals by the platform were decided in this batch. */
const reversedBy = ({ taken, answers }: Decided): Unanswered[] =>
  taken.flatMap(({ reverses }, at) => (reverses && answers[at] ? [reverses] : []))
