/** Passkeys as the portal shows and takes them (D-582). Texts of a browser are as it makes them. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Static, Type } from 'typebox'
import { Field, Instant, Name, Strict } from '#kit/http/schema.ts'

const ID_MOST = 1400
const BYTES_MOST = 20_000

const Id = Type.String({ minLength: 1, maxLength: ID_MOST, pattern: '^[\\w-]+$' })
/** Bytes in base64url. */
const Bytes = (description: string) => Type.String({ maxLength: BYTES_MOST, description })
const Transport = Type.String({ maxLength: 50, description: 'As WebAuthn names it.' })

/** The options that `navigator.credentials` is called with, as JSON of WebAuthn, level 3. */
const options = (title: string, call: string) =>
  Type.Unsafe<object>({
    type: 'object',
    title,
    additionalProperties: true,
    description: `Options that the browser passes to \`navigator.credentials.${call}\`.`,
  })

export const CreationOptions = Type.Object(
  { options: options('PasskeyCreation', 'create') },
  { title: 'PasskeyCreationOptions' },
)
export const RequestOptions = Type.Object(
  { options: options('PasskeyRequest', 'get') },
  { title: 'PasskeyRequestOptions' },
)

const credential = {
  id: Field('Id of the credential, in base64url.', Id),
  rawId: Field('The same id.', Id),
  type: Type.Literal('public-key', { description: 'The kind of the credential.' }),
  clientExtensionResults: Type.Object({}, { description: 'Results of extensions: none is used.' }),
}
const clientDataJSON = Bytes('Data that the browser signed for: challenge and origin, as JSON.')

/** Browsers add members, which are not read. */
const Registration = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object(
        {
          clientDataJSON,
          attestationObject: Bytes('The new public key, with what the authenticator says of it.'),
          transports: Type.Optional(
            Type.Array(Transport, { maxItems: 10, description: 'How it can be reached.' }),
          ),
        },
        { description: 'Answer of the authenticator.' },
      ),
    },
    { description: 'Result of `navigator.credentials.create`, by its `toJSON`.' },
  ),
)
const Authentication = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    {
      ...credential,
      response: Type.Object(
        {
          clientDataJSON,
          authenticatorData: Bytes('Relying party, flags and counter of the authenticator.'),
          signature: Bytes('The signature by the private key of the passkey.'),
          userHandle: Type.Optional(Bytes('The person for whom it was registered.')),
        },
        { description: 'Answer of the authenticator.' },
      ),
    },
    { description: 'Result of `navigator.credentials.get`, by its `toJSON`.' },
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
