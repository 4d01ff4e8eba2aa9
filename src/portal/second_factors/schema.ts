/** Second factors as the portal shows and takes them (D-140). */

import { type Static, Type } from 'typebox'
import { Field, Strict } from '#kit/http/schema.ts'
import { Password } from '#portal/people/schema.ts'

const CODE_MOST = 40
const COUNT = 10

export const SecondFactors = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether codes by time are set up.' }),
    passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
    recovery_codes: Type.Integer({ description: 'How many recovery codes were not used.' }),
  },
  { title: 'SecondFactors' },
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base 32, to be typed into an app.' }),
    uri: Type.String({ description: 'The same as an `otpauth` URI, to be shown as a QR code.' }),
  },
  { title: 'TotpSecret' },
)

export const TotpCode = Strict({
  code: Type.String({ maxLength: CODE_MOST, description: 'Six digits, as the app shows them.' }),
})

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      minItems: COUNT,
      maxItems: COUNT,
      description: 'Codes for when the app is lost, each valid once. Only this answer has them.',
    }),
  },
  { title: 'RecoveryCodes' },
)

/** The password that a change of the factors requires (D-1001). */
export const PasswordAgain = Strict({
  password: Type.Optional(
    Field(
      'The password of the member. It may be left out for five minutes after a sign-in with a ' +
        'second factor.',
      Password,
    ),
  ),
})
