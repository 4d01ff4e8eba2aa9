/** Members and invitations as the portal shows and takes them (D-139). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListOf, ListQuery, Strict, Uuid } from '#kit/http/schema.ts'
import { KeyOfMember } from '#portal/keys/schema.ts'
import { Email, Member, NewPassword, RoleName } from '#portal/people/schema.ts'

const TOKEN_MOST = 100

export const Token = Type.String({
  maxLength: TOKEN_MOST,
  description: '`token` of the link in the mail.',
})

export const NewInvitation = Strict({
  email: Email,
  role: Field('Role that the invited person is to have.', RoleName),
})
export type NewInvitation = Static<typeof NewInvitation>

const invitation = {
  id: Field('Id of the invitation.', Uuid),
  email: Type.String({ description: 'Address that is invited, in lower case.' }),
  role: Field('Role that the invited person is to have.', RoleName),
  created: Field('When the invitation was made, in real time.', Instant),
  expires: Field('When its link ends, in real time.', Instant),
}
export const Invitation = Type.Object(invitation, { title: 'Invitation' })
export type Invitation = Static<typeof Invitation>

/** The invitation, with the link if no mail has it. */
export const MadeInvitation = Type.Object(
  {
    ...invitation,
    link: Type.Optional(
      Type.String({
        description:
          'Link to send to the person, where this deployment sends no mails. Only this answer ' +
          'contains it.',
      }),
    ),
  },
  { title: 'MadeInvitation' },
)
export type MadeInvitation = Static<typeof MadeInvitation>

export const OperatorInvitation = Strict({ email: Email })
export type OperatorInvitation = Static<typeof OperatorInvitation>

/** No mail has the link. */
export const OperatorInvited = Type.Object(
  {
    ...invitation,
    link: Type.String({
      description: 'Link to send to the person; valid once. Only this answer contains it.',
    }),
  },
  { title: 'OperatorInvited' },
)
export type OperatorInvited = Static<typeof OperatorInvited>

export const Acceptance = Strict({ token: Token, password: NewPassword })
export type Acceptance = Static<typeof Acceptance>

const revoke_keys = Type.Optional(
  Type.Boolean({
    description:
      'Whether the API keys that the member has made are revoked. By default they are where one ' +
      'of them can do more than a key of the new role, and always of a removed member.',
  }),
)

export const RoleChange = Strict({
  role: Field('New role of the member.', RoleName),
  revoke_keys,
})
export type RoleChange = Static<typeof RoleChange>

export const Removal = Strict({ revoke_keys })
export type Removal = Static<typeof Removal>

const keysOfMember = {
  revoked_keys: Type.Array(KeyOfMember, {
    description: 'API keys that the member has made and that were revoked with this.',
  }),
  kept_keys: Type.Array(KeyOfMember, {
    description: 'API keys that the member has made and that still work: the member may know them.',
  }),
}
export const ChangedMember = Type.Object(
  { ...Member.properties, ...keysOfMember },
  { title: 'ChangedMember' },
)
export const RemovedMember = Type.Object(keysOfMember, { title: 'RemovedMember' })

export const InvitationList = ListOf(Invitation)
export const MemberList = ListOf(Member)
export const TeamQuery = ListQuery({})
