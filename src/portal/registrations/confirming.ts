/** A registration that waits for its address to be confirmed by a mail (D-134). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { OtherAnswer } from '#kit/http/route.ts'
import { ApiError } from '#lib/result.ts'
import { type Mailing, queueMail, templates } from '#portal/mails/mails.ts'
import { TERMS } from '#portal/mails/rules.ts'
import { createToken, endToken, holdToken } from '#portal/one_time_tokens/one_time_tokens.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { findCandidate } from '#portal/people/people.ts'
import { normalEmail } from '#portal/people/rules.ts'

const CONFIRM_MS = TERMS.confirmation_hours * 60 * 60_000

/** The values that become a member and a tenant; the password only as its hash. */
export type Registration = { email: string; password_hash: string; organization: string }

/**
 * Sends a link, or to a known address a mail that says so. The same statements and the same answer
 * for both. If no mail can be sent, the start refuses the setting that leads here (D-585).
 */
export async function askToConfirm(
  given: Context,
  registration: Registration,
  { outbox, linkTo }: Mailing,
): Promise<OtherAnswer> {
  if (outbox.goes === 'NOWHERE') throw new Error('a registration waits for a mail')
  const to = normalEmail(registration.email)
  await transact(overAllTenants(given), async (tx) => {
    const isKnown = (await findCandidate(tx, to)) !== undefined
    // The link of a known address is sent to nobody, and confirms nothing.
    const data = isKnown ? {} : registration
    const token = await createToken(tx, { kind: 'CONFIRM', data, valid_ms: CONFIRM_MS })
    const link = linkTo('confirm', token)
    const message = isKnown ? templates.addressKnown() : templates.confirmation(link)
    await queueMail(tx, outbox, { to, message, valid_ms: CONFIRM_MS })
  })
  return new OtherAnswer({})
}

/** The registration of a link. It stays locked, and is not used up by this. */
export async function held(tx: Tx, token: string): Promise<Registration> {
  const data = await holdToken(tx, 'CONFIRM', token)
  if (!isRegistration(data)) throw new ApiError('token_invalid')
  return data
}

/** The second of two requests with one link finds it used. */
export async function useUp(tx: Tx, token: string): Promise<void> {
  await held(tx, token)
  await endToken(tx, token)
}

function isRegistration(data: unknown): data is Registration {
  const { email, password_hash, organization } = Object(data) as Record<string, unknown>
  return [email, password_hash, organization].every((one) => typeof one === 'string')
}
