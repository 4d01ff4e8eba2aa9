/** Forgotten passwords as the portal takes them (D-141). */

import { type Static, Type } from 'typebox'
import { Strict } from '#kit/http/schema.ts'
import { Email, NewPassword } from '#portal/people/schema.ts'
import { Token } from '#portal/team/schema.ts'

export const ResetRequest = Strict({ email: Email })
export type ResetRequest = Static<typeof ResetRequest>

export const Accepted = Type.Object({}, { title: 'Accepted', description: 'Nothing.' })

export const ResetLink = Strict({ token: Token })
export type ResetLink = Static<typeof ResetLink>

export const NewPasswordOf = Strict({
  token: Token,
  password: NewPassword,
  remove_factors: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether every second factor is removed too: for who has lost it, or finds one that ' +
        'somebody else has added.',
    }),
  ),
})
export type NewPasswordOf = Static<typeof NewPasswordOf>
