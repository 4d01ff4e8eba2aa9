/** People as the portal shows and takes them. */

import { type Static, Type } from 'typebox'
import { OPERATOR_ROLES, TENANT_ROLES } from '#callers/roles.ts'
import { Field, Instant, OneOf, Uuid } from '#kit/http/schema.ts'
import { EMAIL_MOST } from '#lib/email.ts'

/** An address, and the characters that may be around it. */
const WRITTEN_MOST = EMAIL_MOST + 50
/** Longer passwords are rejected by the rule, which counts characters. */
const PASSWORD_BYTES = 1000

export const Email = Type.String({
  maxLength: WRITTEN_MOST,
  format: 'mailbox',
  description:
    'E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and ' +
    'marks of direction around it do not count.',
  examples: ['layla@example.com'],
})
/** A password that is compared: any text. */
export const Password = Type.String({
  maxLength: PASSWORD_BYTES,
  description: 'Password.',
  examples: ['seven quiet harbours'],
})
export const NewPassword = Field(
  'Password of 12 to 128 characters: no common one, not the e-mail, not the organization.',
  Password,
)
export const RoleName = OneOf([...TENANT_ROLES, ...OPERATOR_ROLES])

export const Member = Type.Object(
  {
    id: Field('Id of the member, which audit records name.', Uuid),
    email: Type.String({ description: 'E-mail address as it was written.' }),
    role: Field('Role of the member.', RoleName),
    second_factor: Type.Boolean({ description: 'Whether a sign-in needs a second factor.' }),
    created: Field('When the person became a member, in real time.', Instant),
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>
