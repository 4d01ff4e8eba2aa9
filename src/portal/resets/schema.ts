/** Forgotten passwords as the portal takes them (D-141). */

import { type Static, Type } from 'typebox'
import { Strict } from '#kit/http/schema.ts'
import { Email, NewPassword } from '#portal/people/schema.ts'
import { Token } from '#portal/team/schema.ts'

export const ResetRequest = Strict({ email: Email })
export type ResetRequest = Static<typeof ResetRequest>

export const Accepted = Type.Object({}, { title: 'Accepted', description: 'Nothing.' })

export const NewPasswordOf = Strict({ token: Token, password: NewPassword })
export type NewPasswordOf = Static<typeof NewPasswordOf>
