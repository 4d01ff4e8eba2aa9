/** Passkeys as the portal shows and takes them (D-582). Texts of a browser are as it makes them. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Static, Type } from 'typebox'
import { Field, Instant, Name, Strict } from '#kit/http/schema.ts'
import { Password } from '#portal/people/schema.ts'

const ID_MOST = 1400
const BYTES_MOST = 20_000

const Id = Type.String({ minLength: 1, maxLength: ID_MOST, pattern: '^[\\w-]+$' })
const Bytes = Type.String({ maxLength: BYTES_MOST })

/** What `navigator.credentials` is called with, as JSON of WebAuthn, level 3. */
const options = (title: string, call: string) =>
  Type.Unsafe<object>({
    ...{ type: 'object', title, additionalProperties: true },
    description: `What the browser passes to \`navigator.credentials.${call}\`.`,
  })

export const CreationOptions = Type.Object(
  { options: options('PasskeyCreation', 'create') },
  { title: 'PasskeyCreationOptions' },
)
export const RequestOptions = Type.Object(
  { options: options('PasskeyRequest', 'get') },
  { title: 'PasskeyRequestOptions' },
)

const credential = { id: Id, rawId: Id, type: Type.Literal('public-key') }

/** Browsers add members, which are not read. */
const Registration = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    {
      ...credential,
      clientExtensionResults: Type.Object({}),
      response: Type.Object({
        clientDataJSON: Bytes,
        attestationObject: Bytes,
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
      }),
    },
    { description: 'What `navigator.credentials.create` returned, by its `toJSON`.' },
  ),
)
const Authentication = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    {
      ...credential,
      clientExtensionResults: Type.Object({}),
      response: Type.Object({
        ...{ clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes },
        userHandle: Type.Optional(Bytes),
      }),
    },
    { description: 'What `navigator.credentials.get` returned, by its `toJSON`.' },
  ),
)

export const NewPasskey = Strict({
  name: Field('Name by which the member knows the passkey.', Name),
  credential: Registration,
})

export const PasskeySignIn = Strict({ credential: Authentication })

export const Passkey = Type.Object(
  {
    id: Type.String({ description: 'Id of the credential, in base64url.' }),
    name: Field('Name by which the member knows the passkey.', Name),
    created: Field('When it was registered, in real time.', Instant),
    last_used: Type.Optional(Field('When it was used last, in real time.', Instant)),
  },
  { title: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

export const PasskeyList = Type.Object({
  data: Type.Array(Passkey, { maxItems: 20, description: 'All passkeys, oldest first.' }),
  has_more: Type.Boolean({ description: 'False: there are at most 20.' }),
})

export const PasskeyPath = Strict({ id: Field('Id of the passkey.', Id) })
export const PasswordAgain = Strict({ password: Password })
