/** Public functions of forgotten passwords: a link that is valid once, for 30 minutes (D-141). */

import { hash, randomBytes } from 'node:crypto'
import { type Context, transact } from '#kit/context.ts'
import type { Visit } from '#kit/http/visit.ts'
import { isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { countReset } from '#portal/attempts/attempts.ts'
import { type Mailing, queueMail, templates } from '#portal/mails/mails.ts'
import { TERMS } from '#portal/mails/rules.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { hashNewPassword, markOfPassword } from '#portal/people/people.ts'
import { normalEmail } from '#portal/people/rules.ts'
import { recordedStep } from '#portal/recorded_step.ts'
import type { SecondFactors } from '#portal/second_factors/schema.ts'
import {
  dropUnconfirmed,
  getSecondFactors,
  mailFactors,
  removeFactors,
} from '#portal/second_factors/second_factors.ts'
import { endSessionsOf } from '#portal/sessions/sessions.ts'
import type { NewPasswordOf, ResetLink, ResetRequest } from './schema.ts'
import {
  findPersonOf,
  findReset,
  insertReset,
  type Person,
  updatePassword,
  updateResetUsed,
} from './store.ts'

const TOKEN_BYTES = 32
const RESET_MS = TERMS.reset_minutes * 60_000

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/**
 * Sends a link. The same statements and the same answer whether or not the e-mail address is known.
 * The same answer too, and no link, if the address of the network has asked too often (D-922).
 */
export async function requestReset(
  given: Context,
  { email: written }: ResetRequest,
  { outbox, linkTo, visit }: Mailing & { visit: Visit },
): Promise<void> {
  const ctx = overAllTenants(given)
  if (!(await countReset(ctx, visit.address))) return
  const email = normalEmail(written)
  await transact(ctx, async (tx) => {
    const person = await findPersonOf(tx, { email })
    const is_needed = person !== undefined
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const data = { person_id: person?.id, mark: markOfPassword(person?.password_hash ?? null) }
    await insertReset(tx, { token_hash: hashOf(token), data, valid_ms: RESET_MS, is_needed })
    const message = templates.passwordReset(linkTo('reset', token))
    await queueMail(tx, outbox, { to: email, message, valid_ms: RESET_MS, is_needed })
  })
}

/**
 * Sets the password and ends every session of the person. The second factors stay, unless they are
 * to be removed, and are answered. Fails with
 * `token_invalid` for a link that is unknown, used or ended, or of an earlier password, and with
 * `validation_failed` for the password: the link then stays valid.
 */
export async function confirmReset(
  given: Context,
  { token, password, remove_factors = false }: NewPasswordOf,
  { outbox, visit }: Pick<Mailing, 'outbox'> & { visit: Visit },
): Promise<SecondFactors> {
  const ctx = overAllTenants(given)
  const token_hash = hashOf(token)
  const {
    id,
    email,
    organization,
    password_hash: before,
    tenant_id,
  } = await personOf(ctx, token_hash)
  const around = { email, ...(organization !== null && { organization }) }
  const password_hash = await hashNewPassword(password, around, 'KNOWN')
  const step = { operation: 'confirmPasswordReset', email, visit, status: 200 } as const
  return recordedStep(ctx, { person_id: id, tenant_id }, step, async (tx) => {
    const isUsed = await updateResetUsed(tx, token_hash)
    if (!isUsed || !(await updatePassword(tx, id, { before, password_hash }))) {
      throw new ApiError('token_invalid')
    }
    await endSessionsOf(tx, id)
    await dropUnconfirmed(tx, id)
    if (remove_factors && (await removeFactors(tx, id))) {
      await mailFactors(tx, outbox, id, 'RESET_WITH_PASSWORD')
    }
    const message = templates.passwordChanged()
    await queueMail(tx, outbox, { to: email, message, valid_ms: RESET_MS })
    return getSecondFactors(tx, id)
  })
}

/** The factors of the person for whom a link is. Fails with `token_invalid`; the link stays valid. */
export async function checkReset(given: Context, { token }: ResetLink): Promise<SecondFactors> {
  const ctx = overAllTenants(given)
  const { id } = await personOf(ctx, hashOf(token))
  return getSecondFactors(ctx, id)
}

/** The link is valid, and the person still has the password that it replaces. */
async function personOf(ctx: Context, token_hash: Buffer): Promise<Person> {
  const { person_id, mark } = resetIn(await findReset(ctx, token_hash))
  const person = person_id === undefined ? undefined : await findPersonOf(ctx, { id: person_id })
  if (!person || markOfPassword(person.password_hash) !== mark) throw new ApiError('token_invalid')
  return person
}

type Reset = { person_id?: string; mark?: string }

function resetIn(data: unknown): Reset {
  const { person_id, mark } = Object(data) as Record<string, unknown>
  if (typeof person_id !== 'string' || !isId(person_id) || typeof mark !== 'string') return {}
  return { person_id, mark }
}
