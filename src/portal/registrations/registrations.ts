/** Public functions of registrations: people who sign up with an organization (D-134). */

import { openProgram } from '#issuing/programs/programs.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import type { OtherAnswer } from '#kit/http/route.ts'
import type { Visit } from '#kit/http/visit.ts'
import { shownEmail } from '#lib/email.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { countSignUp } from '#portal/attempts/attempts.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { createMember, hashNewPassword, readMember } from '#portal/people/people.ts'
import { normalEmail } from '#portal/people/rules.ts'
import { beginSession } from '#portal/sessions/sessions.ts'
import { askToConfirm, held, type Registration, useUp } from './confirming.ts'
import type { Confirmation, NewRegistration, Registered } from './schema.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** A tenant that signs up has funds and a card product at once (D-134). */
    readonly starts_funded: boolean
    /** A registration is confirmed by a mail before it takes effect (D-134). */
    readonly confirms_sign_up: boolean
  }
}

/** In major units of the operator's default currency. */
const FUNDING = 10_000
const PRODUCT = 'Virtual card'

export type SignUp = { signUp: () => 'open' | 'invited'; mailing: Mailing }

/**
 * Makes person, tenant, membership, key and, if the deployment is set so, funds and a card product,
 * and begins a session: all or nothing. If a registration is confirmed by a mail, it answers the
 * same whether or not the address is known. Throws `sign_up_closed`, `email_taken`,
 * `validation_failed` on the password, and `rate_limited` for a further one of an address of the
 * network that has had too many (D-886).
 */
export async function register(
  given: Context,
  { email, password, organization }: NewRegistration,
  { visit, signUp, mailing }: SignUp & { visit: Visit },
): Promise<Registered | OtherAnswer> {
  assertOpen(signUp)
  await countSignUp(overAllTenants(given), visit.address)
  const name = organization.trim()
  if (name === '') throw invalid('organization', 'must not be empty')
  if (name.normalize('NFKC').includes('://')) throw invalid('organization', 'must not be a link')
  const password_hash = await hashNewPassword(password, { email, organization: name })
  const registration = { email, password_hash, organization: name }
  if (given.profile.confirms_sign_up) return askToConfirm(given, registration, mailing)
  return enroll(given, registration, { operation: 'createRegistration', visit })
}

/**
 * The effect of a registration whose address is confirmed. Throws `token_invalid` for a link that
 * is unknown, used or ended, `sign_up_closed`, and `email_taken` if the address has become a member
 * meanwhile.
 */
export async function confirm(
  given: Context,
  { token }: Confirmation,
  { visit, signUp }: Pick<SignUp, 'signUp'> & { visit: Visit },
): Promise<Registered> {
  assertOpen(signUp)
  const registration = await transact(overAllTenants(given), (tx) => held(tx, token))
  const before = (tx: Tx) => useUp(tx, token)
  return enroll(given, registration, { operation: 'confirmRegistration', visit, before })
}

function assertOpen(signUp: SignUp['signUp']): void {
  if (signUp() === 'invited') throw new ApiError('sign_up_closed')
}

type Enrolling = { operation: string; visit: Visit; before?: (tx: Tx) => Promise<void> }

/** The effect of a registration, at once or once it is confirmed. */
function enroll(
  given: Context,
  registration: Registration,
  { operation, visit, before }: Enrolling,
): Promise<Registered> {
  const { email } = registration
  const tenant_id = newId()
  const everyone = overAllTenants(given)
  const ctx = { ...everyone, tenant_id }
  const described = { operation, email: normalEmail(email), status: 201 }
  const actor = { kind: 'member', id: newId() }
  const audited = visit.recordedBy(ctx, { ...described, actor })
  return transact(audited, async (tx) => {
    await before?.(tx)
    const { password_hash, organization: name } = registration
    const maker = { created_by: actor.id, created_by_email: shownEmail(email) }
    const { tenant, api_key } = await openTenant(tx, { id: tenant_id, name }, maker)
    const owner = { id: actor.id, email, password_hash, tenant_id, role: 'owner' } as const
    const membership_id = await createMember(tx, owner)
    await beginSession(tx, membership_id, visit)
    recordChange(tx, [tenant_id, actor.id])
    return { member: await readMember(tx, actor.id), tenant, api_key }
  })
}

type Maker = { created_by: string; created_by_email: string }

/** The first key is that of the person (D-1002). */
function openTenant(tx: Tx, tenant: { id: string; name: string }, maker: Maker) {
  if (!tx.profile.starts_funded) return createTenant(tx, tenant, maker)
  return openProgram(tx, { tenant, funding: FUNDING, product: { name: PRODUCT }, maker })
}
