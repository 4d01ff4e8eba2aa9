/** The question of a card's issuer between the form and the payment (D-741 to D-744). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { isSameBytes, isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import { nextStamp, type Ready } from '#merchant/acquirer/acquirer.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { newFormToken } from './page_id.ts'
import {
  begin,
  type CheckoutIdentity,
  declined,
  finish,
  isOpen,
  lockFound,
  type PayingCard,
  type Payment,
  type PaymentServices,
} from './payment.ts'
import type { Issuer } from './provider.ts'
import {
  type Action,
  CODE_MS,
  CODES_MAX,
  codeOfDigest,
  judge,
  type Verdict,
  WRONG_CODES_MAX,
} from './rules/challenge.ts'
import { UNAUTHENTICATED } from './rules/declined.ts'
import { type CheckoutRow, noChallenge, updateCheckout } from './store.ts'

/** The question as its page shows it. */
export type Challenge = {
  id: string
  /** Card and issuer, sealed: the page carries them, so that no security code is stored. */
  sealed: string
  issuer: Issuer
  last_four: string
  /** The sandbox sends no message, so its page shows the code; empty where a bank has sent it. */
  code: string
  tries_left: number
  may_resend: boolean
  seconds_left: number
  verdict: Verdict
}
/** Without a challenge the page is that of the checkout. */
export type Challenged = Payment & { challenge?: Challenge }

type ChallengedCard = { card: PayingCard; issuer: Issuer }
/** A checkout whose columns of a challenge are set. */
type Open = { id: string; codes: number; expires: Date }

/**
 * Asks the cardholder instead of paying, and ends an earlier question. The form that began a
 * question shows it again, so that a reload or a double click loses nothing.
 */
export function startChallenge(
  ctx: Context,
  found: CheckoutIdentity,
  form_token: string,
  asked: ChallengedCard,
  id = newId(),
): Promise<Challenged> {
  return transact(ctx, async (tx) => {
    const checkout = await lockFound(tx, found)
    if (!isOpen(tx, checkout)) return { checkout, notice: 'stale' }
    if (isSameText(checkout.form_token, form_token)) {
      return ask(tx, checkout, { id, form_token }, asked)
    }
    const open = challengeOf(checkout)
    if (!open || !isOfForm(tx, checkout, open.id, form_token, asked)) {
      return { checkout, notice: 'stale' }
    }
    if (open.expires <= tx.now) return { checkout, notice: 'late' }
    return { checkout, challenge: pageOf(tx, checkout, open, asked, 'shown') }
  })
}

async function ask(
  tx: Tx,
  checkout: CheckoutRow,
  { id: challenge_id, form_token }: { id: string; form_token: string },
  asked: ChallengedCard,
): Promise<Challenged> {
  const open = { id: challenge_id, codes: 1, expires: new Date(tx.now.getTime() + CODE_MS) }
  await updateCheckout(tx, checkout.id, {
    challenge_id,
    challenge_form: formDigest(tx, challenge_id, form_token, asked),
    challenge_codes: open.codes,
    challenge_expires: open.expires,
    form_token: newFormToken(),
  }).start()
  return { checkout, challenge: pageOf(tx, checkout, open, asked, 'shown') }
}

/** `tries_left` and `aav` are those of an issuer that is asked over the wire. */
export type Judgement = { verdict: Verdict; tries_left?: number; aav?: Secret | undefined }

export type Answered = { challenge_id: string; sealed: string; typed: string; action: Action }

/**
 * Takes what the customer does on the page of the question. The right code pays with the card that
 * the page carried; every other code counts once, under the lock of the checkout.
 */
export async function answerOnPage(
  ctx: Context,
  api: PaymentServices,
  found: CheckoutIdentity,
  answered: Answered,
): Promise<Challenged> {
  const { ready, card, ...judged } = await transact(ctx, async (tx) =>
    answer(tx, await lockFound(tx, found), answered),
  )
  if (!ready || !card) return judged
  const aav = await proofOf(ctx, api, judged.checkout, ready, card)
  return { checkout: await finish(ctx, api, found, ready, card, aav) }
}

/** The same where the issuer has judged over the wire. */
export async function conclude(
  ctx: Context,
  api: PaymentServices,
  found: CheckoutIdentity,
  answered: Answered,
  judgement: Judgement,
): Promise<Challenged> {
  const { ready, card, ...judged } = await transact(ctx, async (tx) =>
    answer(tx, await lockFound(tx, found), answered, judgement),
  )
  if (!ready || !card) return judged
  return { checkout: await finish(ctx, api, found, ready, card, judgement.aav) }
}

/** The card that the page of an open question carries; undefined for another page. */
export function shownAsked(
  ctx: Context,
  checkout: CheckoutRow,
  { challenge_id, sealed }: Answered,
): ChallengedCard | undefined {
  const open = challengeOf(checkout)
  if (!open || !isOpen(ctx, checkout) || !isSameText(open.id, challenge_id)) return undefined
  return unsealed(ctx, checkout, open.id, sealed)
}

/** Without the issuer's value the payment goes out all the same: its record waits for an outcome. */
async function proofOf(
  ctx: Context,
  { authenticator }: PaymentServices,
  { amount, currency, merchant_id }: CheckoutRow,
  { message }: Ready,
  { pan }: PayingCard,
): Promise<Secret | undefined> {
  try {
    const { display_name: name } = await getMerchant(ctx, merchant_id)
    const merchant = { id: message.fields[42]?.trim() ?? '', name }
    return await authenticator?.prove(ctx, new Secret(pan), { amount, currency, merchant })
  } catch {
    return undefined
  }
}

type Judged = Challenged & { ready?: Ready; card?: PayingCard }

async function answer(
  tx: Tx,
  checkout: CheckoutRow,
  answered: Answered,
  outside?: Judgement,
): Promise<Judged> {
  const open = challengeOf(checkout)
  const asked = shownAsked(tx, checkout, answered)
  // A page of the issuer's is judged by the issuer, and one of the sandbox by the sandbox.
  const isOfKind = (asked?.issuer.way === undefined) === (outside === undefined)
  if (!open || !asked || !isOfKind) return { checkout, notice: 'stale' }

  const question = { ...open, wrong_codes: checkout.wrong_codes, code: codeOf(tx, open) }
  const { verdict, tries_left } = outside ?? { verdict: judge(question, answered, tx.now) }
  const shown = (next: Open, row: CheckoutRow = checkout) => ({
    checkout: row,
    challenge: pageOf(tx, row, next, asked, verdict),
  })
  switch (verdict) {
    case 'late':
    case 'cancelled':
      await updateCheckout(tx, checkout.id, noChallenge).start()
      return { checkout, notice: verdict }
    case 'resent': {
      const next = { ...open, codes: open.codes + 1, expires: expiryOf(tx) }
      const changes = { challenge_codes: next.codes, challenge_expires: next.expires }
      await updateCheckout(tx, checkout.id, changes).start()
      return shown(next)
    }
    case 'wrong': {
      const wrong_codes =
        tries_left === undefined ? checkout.wrong_codes + 1 : WRONG_CODES_MAX - tries_left
      await updateCheckout(tx, checkout.id, { wrong_codes }).start()
      return shown(open, { ...checkout, wrong_codes })
    }
    case 'refused': {
      const changes = { ...declined(tx, checkout, UNAUTHENTICATED), ...noChallenge }
      await updateCheckout(tx, checkout.id, changes).start()
      return { checkout: { ...checkout, ...changes } }
    }
    case 'right': {
      const { card } = asked
      const [acceptor, stamp] = await Promise.all([
        getMerchant(tx, checkout.merchant_id),
        nextStamp(tx),
      ])
      const paying = { ...card, three_ds: 'AUTHENTICATED' as const }
      const ready = await begin(tx, checkout, acceptor, paying, stamp)
      if (ready) return { checkout, ready, card }
      // Its merchant was closed or its kept card removed meanwhile.
      await updateCheckout(tx, checkout.id, noChallenge).start()
      return { checkout, notice: 'stale' }
    }
    default:
      return shown(open)
  }
}

const expiryOf = ({ now }: Tx) => new Date(now.getTime() + CODE_MS)

function challengeOf(checkout: CheckoutRow): Open | undefined {
  const { challenge_id: id, challenge_codes: codes, challenge_expires: expires } = checkout
  return id !== null && codes !== null && expires !== null ? { id, codes, expires } : undefined
}

/** Whether the question of an open checkout waited for too long. */
export function isLate(ctx: Context, checkout: CheckoutRow): boolean {
  const expires = challengeOf(checkout)?.expires
  return expires !== undefined && expires <= ctx.now
}

function pageOf(
  tx: Tx,
  checkout: CheckoutRow,
  open: Open,
  asked: ChallengedCard,
  verdict: Verdict,
): Challenge {
  const bytes = Buffer.from(JSON.stringify(asked))
  return {
    id: open.id,
    sealed: tx.keys
      .seal('merchant_cards', bytes, bindingOf(checkout, open.id))
      .toString('base64url'),
    issuer: asked.issuer,
    last_four: asked.card.pan.slice(-4),
    code: asked.issuer.way === undefined ? codeOf(tx, open) : '',
    tries_left: WRONG_CODES_MAX - checkout.wrong_codes,
    may_resend: asked.issuer.way === undefined && open.codes < CODES_MAX,
    seconds_left: Math.ceil((open.expires.getTime() - tx.now.getTime()) / 1000),
    verdict,
  }
}

/** Undefined for a value that the page of this question did not carry. */
function unsealed(
  tx: Context,
  checkout: CheckoutRow,
  id: string,
  sealed: string,
): ChallengedCard | undefined {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    // It is what `pageOf` sealed.
    const clear = tx.keys.open('merchant_cards', bytes, bindingOf(checkout, id)).toString()
    return JSON.parse(clear) as ChallengedCard
  } catch {
    return undefined
  }
}

const bindingOf = ({ tenant_id, id }: CheckoutRow, challenge_id: string): string =>
  `${tenant_id}:${id}:${challenge_id}`

/**
 * The code is known to any process and stored by none: it is made from a key, the question, and the
 * count of codes sent.
 */
function codeOf({ keys, tenant_id }: Tx, { id, codes }: Pick<Open, 'id' | 'codes'>): string {
  return codeOfDigest(keys.digest('lookup', `one-time code:${tenant_id}:${id}:${codes}`))
}

function formDigest(
  { keys, tenant_id }: Tx,
  id: string,
  form_token: string,
  { card: { pan, expiry } }: ChallengedCard,
): Buffer {
  return keys.digest('lookup', `form:${tenant_id}:${id}:${form_token}:${pan}:${expiry}`)
}

const isOfForm = (
  tx: Tx,
  { challenge_form }: CheckoutRow,
  id: string,
  form_token: string,
  asked: ChallengedCard,
): boolean =>
  challenge_form !== null && isSameBytes(challenge_form, formDigest(tx, id, form_token, asked))
