/** Invitations to a team: a link that is valid once, for seven days (D-139, D-584). */

import { lockOwnRole } from '#callers/own_role.ts'
import { type Role, roleLacks } from '#callers/roles.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { kept } from '#kit/http/idempotency.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Keep } from '#kit/http/route.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Visit } from '#kit/http/visit.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { countInvitation } from '#portal/attempts/attempts.ts'
import { type Mailing, queueMail, templates } from '#portal/mails/mails.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { createMember, hashNewPassword, readMember } from '#portal/people/people.ts'
import { recordedStep } from '#portal/recorded_step.ts'
import { beginSession, memberOf } from '#portal/sessions/sessions.ts'
import { hashOf, invitationOf, makeInvitation } from './inviting.ts'
import { faultsOfRole, isOwner } from './rules.ts'
import type {
  Acceptance,
  Invitation,
  MadeInvitation,
  NewInvitation,
  OperatorInvitation,
  OperatorInvited,
} from './schema.ts'
import {
  deleteInvitation,
  findInvitation,
  findOrganization,
  INVITED_MS,
  listInvitationRows,
  updateInvitationAccepted,
} from './store.ts'
import { teamOf } from './teams.ts'

/** It invites the others. */
const FIRST_ROLE = 'operator_owner'

/**
 * Sends a link, in place of an earlier one to the address. Answers the link if no mail has it. It
 * ends with the membership of its sender, and with a role that may not invite (D-885). Fails with
 * `email_taken` if the address has a member of this team, and with `rate_limited` if the team or
 * the address of the network has sent too many, also of those that failed or were withdrawn
 * (D-939). The member of another team is invited like anybody, so that the answer says nothing of
 * other teams: the mail has no link then (D-978).
 */
export async function invite(
  ctx: Context,
  { email: written, role }: NewInvitation,
  { visit, keep, ...mailing }: Mailing & { visit: Visit; keep?: Keep | undefined },
): Promise<MadeInvitation> {
  const { outbox } = mailing
  assertRoleOfTeam(ctx, role)
  await transact(ctx, (tx) => assertInviter(teamOf(tx).within))
  await countInvitation(ctx, { team: teamOf(ctx).of, address: visit.address })
  return transact(ctx, async (tx) => {
    const { of, within } = teamOf(tx)
    const invited_by = await assertInviter(within)
    const invited = { email: written, role, invited_by }
    const { invitation, link, isElsewhere } = await makeInvitation({ of, within }, invited, mailing)
    const organization = await findOrganization(within, of)
    const message = isElsewhere
      ? templates.invitationElsewhere(organization)
      : templates.invitation(link, organization, role)
    await queueMail(within, outbox, { to: invitation.email, message, valid_ms: INVITED_MS })
    recordChange(tx, [invitation.id])
    return kept(tx, keep, { ...invitation, ...(outbox.goes === 'NOWHERE' && { link }) })
  })
}

/** Used in the rehearsal of a body that has other faults too: nothing is counted. */
export function assertRoleOfTeam(ctx: Context, role: Role): void {
  const errors = faultsOfRole(role, teamOf(ctx).of)
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
}

/** The person who invites, with a role that still may. */
async function assertInviter(within: Tx): Promise<string> {
  const role = await lockOwnRole(within)
  if (!isOwner(role)) throw roleLacks(role)
  return memberOf(within).id
}

/**
 * Invites the first members of the operator's team, for the holder of the operator's key: a team
 * without a member cannot invite one (D-631). The link is answered and no mail is sent.
 */
export function inviteOperator(
  ctx: Context | Tx,
  { email }: OperatorInvitation,
  mailing: Mailing,
): Promise<OperatorInvited> {
  return transact(ctx, async (tx) => {
    const team = { of: null, within: { ...tx, db: overAllTenants(tx).db } }
    const { invitation, link, isElsewhere } = await makeInvitation(
      team,
      { email, role: FIRST_ROLE, invited_by: null },
      mailing,
    )
    if (isElsewhere) throw new ApiError('email_taken')
    return { ...invitation, link }
  })
}

/** The open invitations, newest first. */
export async function listInvitations(ctx: Context, query: ListQuery): Promise<Page<Invitation>> {
  const { of, within } = teamOf(ctx)
  const page = await listPage('invitations', query, (range) =>
    listInvitationRows(within, of, range),
  )
  return { ...page, data: page.data.map(invitationOf) }
}

/** Its link ends. Fails with `not_found` for one that is not open, or of another team. */
export function withdrawInvitation(ctx: Context | Tx, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const { of, within } = teamOf(tx)
    if (!(await deleteInvitation(within, of, id))) throw new ApiError('not_found')
  })
}

/**
 * Makes the invited person a member, with a session. Fails with `token_invalid` for a link that is
 * unknown, used, withdrawn or ended, with `email_taken` if the address has become a member
 * meanwhile, and with `validation_failed` for the password: the link then stays valid.
 */
export async function acceptInvitation(
  given: Context,
  { token, password }: Acceptance,
  visit: Visit,
) {
  const ctx = overAllTenants(given)
  const invitation = await findInvitation(ctx, hashOf(token))
  if (!invitation) throw new ApiError('token_invalid')
  const { id, tenant_id, email, role, organization } = invitation
  const around = { email, ...(organization !== null && { organization }) }
  const password_hash = await hashNewPassword(password, around, 'KNOWN')
  const step = { operation: 'acceptInvitation', email, visit, status: 201 }
  const person_id = newId()
  return recordedStep(ctx, { person_id, tenant_id }, step, async (tx) => {
    if (!(await updateInvitationAccepted(tx, id))) throw new ApiError('token_invalid')
    const made = { id: person_id, email, password_hash, tenant_id, role }
    await beginSession(tx, await createMember(tx, made), visit)
    return { member: await readMember(tx, person_id) }
  })
}
