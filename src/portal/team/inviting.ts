/** How an invitation is made, by a member or by the operator's key (D-139, D-584). */

import { hash, randomBytes } from 'node:crypto'
import type { Role } from '#callers/roles.ts'
import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import type { Mailing } from '#portal/mails/mails.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { normalEmail } from '#portal/people/rules.ts'
import type { Invitation } from './schema.ts'
import {
  countInvitations,
  deleteOldInvitations,
  findTeamOfEmail,
  type InvitationRow,
  insertInvitation,
} from './store.ts'
import type { Team } from './teams.ts'

const TOKEN_BYTES = 32
/** Open ones of a team. */
const INVITATIONS_MAX = 100

export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

type Invited = {
  email: string
  role: Role
  /** The person who invites; null for the operator's key. */
  invited_by: string | null
}

/**
 * The invitation takes the place of an earlier one to the address. Fails with `email_taken` if the
 * address has a member of this team. `isElsewhere`: it has one of another team.
 */
export async function makeInvitation(
  { of, within }: Team<Tx>,
  { email: written, role, invited_by }: Invited,
  { linkTo }: Pick<Mailing, 'linkTo'>,
): Promise<{ invitation: Invitation; link: string; isElsewhere: boolean }> {
  const email = normalEmail(written)
  const team = await findTeamOfEmail(overAllTenants(within), email)
  if (team === of) throw new ApiError('email_taken')
  await deleteOldInvitations(within, of, email)
  if ((await countInvitations(within, of)) >= INVITATIONS_MAX) {
    throw new ApiError('too_many_invitations')
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const made = { id: newId(), tenant_id: of, email, role, invited_by, token_hash: hashOf(token) }
  const row = await insertInvitation(within, made)
  const link = linkTo('invitation', token)
  return { invitation: invitationOf(row), link, isElsewhere: team !== undefined }
}

export function invitationOf({ id, email, role, created, expires }: InvitationRow): Invitation {
  // The column has what `makeInvitation` wrote: a role of the schema.
  return { id, email, role: role as Invitation['role'], created, expires }
}
