/** Makes the case of a message that has come, and of one that is stored (D-949). Pure. */

import type { TenantSettings } from '#issuing/tenants/schema.ts'
import { asOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import type { Proofs } from '#issuing/vault/vault.ts'
import { localTime } from '#lib/window.ts'
import type { AuthorizationRequest } from '../schema.ts'
import type { Case } from './case.ts'
import { chargeNeeded } from './charges/charges.ts'
import { fundsIn } from './checks/checks.ts'
import { lookAtChip } from './checks/chip.ts'
import { nameOfPayment, stoppableMerchant } from './checks/stop_orders.ts'
import type { Verdict } from './checks/verdict.ts'
import { codeOf, type Kind, kindOf } from './kinds.ts'
import { incrementOf } from './messages/authorize.ts'
import { advisedPump, isUnused } from './messages/fuel.ts'
import { doneFor } from './messages/payment.ts'
import { billed, inBilledAmount, rateKey, rateOfScheme } from './money/billing.ts'
import type { HeldCard } from './rows.ts'
import { type LimitsNow, NO_COUNTS } from './state/limits_in_force.ts'
import { usedAavKey } from './state/message_keys.ts'
import type { Unanswered } from './state/unanswered.ts'
import type { WorkingSet } from './state/working_set.ts'
import { requestedOf, requestOf } from './stored_request.ts'

/** The members of a pending message that its decision is made of. */
type Arrived = {
  request: AuthorizationRequest
  kind: Kind
  card_id: string | undefined
  token_id: string | undefined
  late: boolean
  verdict: Verdict | undefined
  reverses: Unanswered | undefined
}

/** Made outside the rules, because chance and keys make them. */
type Drawn = Pick<Case, 'id' | 'approval_code' | 'fingerprint' | 'proofs'>

/** Changes nothing. It holds until another message of the batch is decided. */
export function liveCase(workingSet: WorkingSet, message: Arrived, drawn: Drawn): Case {
  const { kind, card_id, token_id, late, verdict, reverses } = message
  const original = workingSet.originals.withAcquirer(message.request.original, card_id)
  const sent = original ? { ...message.request, original } : message.request
  const { proofs } = drawn
  const { read, settings, now } = workingSet
  const held = card_id === undefined ? undefined : read.cards.get(card_id)
  const card = held?.card
  const account = workingSet.account(card?.account_id ?? null)
  const currency = account?.currency ?? held?.product.currency
  const request = inBilledAmount(sent, currency)
  const merchant_id = stoppableMerchant(message)
  const live: Case = {
    request,
    kind,
    code: codeOf(request, kind),
    id: drawn.id,
    approval_code: drawn.approval_code,
    fingerprint: drawn.fingerprint,
    late,
    reversed_early: false,
    unanswered: reverses,
    verdict,
    done: undefined,
    raised: undefined,
    card,
    product: held?.product,
    holder: held?.holder,
    lacks_product: !held && card_id !== undefined && read.known_cards.has(card_id),
    account,
    token: token_id === undefined ? undefined : read.tokens.get(token_id),
    keys: card && read.keys.get(card.card_product_id),
    proofs,
    card_number:
      token_id === undefined && 'pan' in request.card
        ? request.card.pan
        : card && read.numbers.get(card.card_id),
    pin: workingSet.pin(card?.card_id),
    chip: undefined,
    wrong_tries: workingSet.tries.of(card?.card_id),
    used_aav: request.aav !== undefined && workingSet.stored(usedAavKey(request.aav)) !== undefined,
    stopped:
      merchant_id !== undefined &&
      card_id !== undefined &&
      read.stopped.has(nameOfPayment({ card_id, merchant_id })),
    limits: NO_COUNTS,
    settings,
    now,
    local_time: workingSet.localTime,
    currency,
    rate: currency === undefined ? undefined : rateOf(workingSet, request, currency),
    billing: undefined,
    charge: 0n,
    raises: undefined,
    room: 0n,
  }
  live.billing = billed(live)
  if (isChecked(workingSet, live)) addToCheck(workingSet, live)
  return live
}

/** That of the scheme, if it says what is billed; none between one currency and itself. */
function rateOf(workingSet: WorkingSet, request: AuthorizationRequest, to: string) {
  const { currency: from } = request
  if (from === to) return undefined
  return rateOfScheme(request, to) ?? workingSet.rates.get(rateKey(from, to))
}

/** Whether the checks of requests are made of the message. A repeat gets the stored answer. */
const isChecked = (
  workingSet: WorkingSet,
  { request: { message_type, duplicate_key } }: Case,
): boolean => CHECKED.has(message_type) && !workingSet.stored(duplicate_key)?.answer

const CHECKED: ReadonlySet<string> = new Set(['0100', '0120', '0200'])

/** Adds all that only the checks of requests look at. */
function addToCheck(workingSet: WorkingSet, live: Case): void {
  const { request, card, account } = live
  if (request.message_type === '0100')
    live.done = doneFor(workingSet, live) ?? advisedPump(workingSet, live)
  live.raised = live.done ? undefined : incrementOf(workingSet, live)
  live.raises = live.raised?.row.billing_amount ?? undefined
  live.reversed_early =
    workingSet.wasReversedEarly(request.duplicate_key, card?.card_id) ||
    (request.message_type === '0100' && isUnused(workingSet, live))
  live.limits = workingSet.limits.of(card?.card_id, account)
  live.room = workingSet.limits.room(card?.card_id, account)
  live.charge = chargeNeeded(live, live.billing ?? 0n)
  live.chip = lookAtChip(workingSet, live)
}

/** Nothing is found out of a stored message, or of an advice whose keys are in a module. */
export const UNPROVED: Proofs = {
  pin: () => 'unproved',
  cvv: () => 'unproved',
  aav: () => 'unproved',
  cryptogram: () => 'unproved',
  issuerData: () => undefined,
  scriptMac: () => undefined,
}

/** The conditions in force beside a stored message (D-483). */
export type Conditions = {
  /** The card with the settings and lists of the proposal. */
  card: HeldCard
  limits: Omit<LimitsNow, 'standing'>
  /**
   * The account has so much more than it had, because others were decided otherwise; minor units.
   */
  more: bigint
  /**
   * The part of the amount that came from increments which would have been declined; minor units.
   */
  less: bigint
  settings: Readonly<TenantSettings>
  now: Date
}

/**
 * The first message of a stored transaction, or the increment with this number of an event. It has
 * the funds that its trace shows; proofs and the account are not stored.
 */
export function storedCase(row: TransactionRow, sequence: number, conditions: Conditions): Case {
  const { card: held, limits, more, less, settings, now } = conditions
  const request = requestOf(row, sequence)
  const kind = kindOf(request)
  const stored = sequence === 1 ? fundsIn(row.trace) : undefined
  const available = stored && stored.available + more
  const funds = available === undefined ? undefined : { balance: available, available }
  const raised = sequence > 1 ? asOf(row, sequence - 1).billing_amount : null
  return {
    request,
    kind,
    code: codeOf(request, kind),
    id: row.id,
    approval_code: row.approval_code ?? '',
    fingerprint: () => row.message?.fingerprint ?? '',
    late: false,
    reversed_early: false,
    unanswered: undefined,
    verdict: undefined,
    done: undefined,
    raised: undefined,
    card: held.card,
    product: held.product,
    holder: held.holder,
    lacks_product: false,
    account: undefined,
    token: undefined,
    keys: undefined,
    proofs: UNPROVED,
    card_number: undefined,
    pin: undefined,
    chip: undefined,
    wrong_tries: [],
    used_aav: false,
    stopped: false,
    limits: { ...limits, standing: funds && { account: funds, user: funds } },
    settings,
    now,
    local_time: () => localTime(now, settings.time_zone),
    currency: row.billing_currency ?? held.product.currency,
    rate: row.foreign?.rate,
    billing: requestedOf(row, sequence),
    charge: stored?.charge ?? 0n,
    raises: raised === null ? undefined : raised - less,
    room: available ?? 0n,
  }
}
