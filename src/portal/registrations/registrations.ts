/** Public functions of registrations: people who sign up with an organization (D-134). */

import { openProgram } from '#issuing/programs/programs.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import type { Visit } from '#kit/http/visit.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { createMember, hashNewPassword, readMember } from '#portal/people/people.ts'
import { normalEmail } from '#portal/people/rules.ts'
import { beginSession } from '#portal/sessions/sessions.ts'
import type { NewRegistration, Registered } from './schema.ts'

/** In major units of the operator's default currency. */
const FUNDING = 10_000
const PRODUCT = 'Virtual card'

/** What becomes a member and a tenant; the password only as its hash. */
export type Registration = { email: string; password_hash: string; organization: string }

/**
 * Makes person, tenant, membership, key and, where the deployment says so, funds and a card
 * product, and begins a session: all or nothing. Throws `sign_up_closed`, `email_taken`,
 * `validation_failed` on the password, and `not_configured` where a registration is confirmed by
 * mail and no mail can be sent.
 */
export async function register(
  given: Context,
  { email, password, organization }: NewRegistration,
  { visit, sign_up }: { visit: Visit; sign_up: 'open' | 'invited' },
): Promise<Registered> {
  if (sign_up === 'invited') throw new ApiError('sign_up_closed')
  const name = organization.trim()
  if (name === '') throw invalid('organization', 'must not be empty')
  const password_hash = await hashNewPassword(password, { email, organization: name })
  if (given.profile.confirms_sign_up) throw new ApiError('not_configured')
  return enroll(given, { email, password_hash, organization: name }, visit)
}

/** The effect of a registration, at once or once it is confirmed. */
export function enroll(
  given: Context,
  registration: Registration,
  visit: Visit,
): Promise<Registered> {
  const { email } = registration
  const tenant_id = newId()
  const everyone = overAllTenants(given)
  const ctx = { ...everyone, tenant_id }
  const described = { operation: 'createRegistration', email: normalEmail(email), status: 201 }
  const actor = { kind: 'member', id: newId() }
  const audited = visit.recordedBy(ctx, { ...described, actor })
  return transact(audited, async (tx) => {
    const { tenant, api_key } = await openTenant(tx, tenant_id, registration.organization)
    const { password_hash } = registration
    const owner = { id: actor.id, email, password_hash, tenant_id, role: 'owner' } as const
    const membership_id = await createMember(tx, owner)
    await beginSession(tx, membership_id, visit)
    recordChange(tx, [tenant_id, actor.id])
    return { member: await readMember(tx, actor.id), tenant, api_key }
  })
}

function openTenant(tx: Tx, id: string, name: string) {
  const tenant = { id, name }
  if (!tx.profile.starts_funded) return createTenant(tx, tenant)
  return openProgram(tx, { tenant, funding: FUNDING, product: { name: PRODUCT } })
}
