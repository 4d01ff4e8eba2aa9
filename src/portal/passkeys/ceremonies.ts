/**
 * Registering a passkey and signing in with it (WebAuthn), without a database. A passkey is
 * discoverable and verifies its person, so that it is both factors at once (D-582).
 */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Keyring } from '#kit/keys/keyring.ts'
import type { Basis } from '#portal/second_factors/second_factors.ts'
import {
  CHALLENGE_MS,
  digestOfChallenge,
  isChallenge,
  newChallenge,
  type Use,
} from './challenges.ts'
import type { RelyingParty } from './relying_party.ts'

/** ES256 and RS256: every authenticator has one of them, and Node verifies both (D-582). */
const ALGORITHMS = [-7, -257]

/**
 * A tenth of the code that the program would load at its start, so it is loaded with the first
 * passkey.
 */
const library = () => import('@simplewebauthn/server')

type Ceremony = { keys: Pick<Keyring, 'digest'>; party: RelyingParty; now: Date }
type Person = { id: string; email: string; known: readonly string[] } & Begun
/** The basis of a registration, and the session in which it began; without one it ends in any. */
type Begun = { basis?: Basis; session_id?: string | undefined }

/** A passkey as its row stores it. */
export type NewPasskey = {
  id: string
  public_key: Buffer
  counter: bigint
  transports: string[]
  challenge_hash: Buffer
}

/** `known` are the ids of the person's passkeys: an authenticator that has one makes no other. */
export async function registrationOptions(
  { keys, party, now }: Ceremony,
  person: Person,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  const { id: person_id, basis: use = 'PASSWORD', session_id } = person
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: person.email,
    timeout: CHALLENGE_MS,
    userID: new TextEncoder().encode(person.id),
    challenge: newChallenge(keys, { use, person_id, session_id }, now),
    attestationType: 'none',
    excludeCredentials: person.known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * Undefined if the response is not one to a challenge for this person and session at this origin,
 * on one of these bases.
 */
export async function verifyRegistration(
  { keys, party, now }: Ceremony,
  person_id: string,
  response: RegistrationResponseJSON,
  {
    bases = ['PASSWORD'],
    session_id,
  }: { bases?: readonly Basis[]; session_id?: string | undefined } = {},
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library()
  const uses: Use[] = bases.flatMap((use) => [
    { use, person_id },
    { use, person_id, session_id },
  ])
  const isOf = (text: string) => uses.some((use) => isChallenge(keys, use, text, now))
  const seen: { challenge?: string } = {}
  const result = await orUndefined(() =>
    verifyRegistrationResponse({
      response,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
      expectedChallenge: (text) => isExpected(seen, text, isOf(text)),
    }),
  )
  if (!result?.verified || seen.challenge === undefined) return undefined
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return {
    id,
    transports,
    counter: BigInt(counter),
    public_key: Buffer.from(publicKey),
    challenge_hash: digestOfChallenge(seen.challenge),
  }
}

/** Names no passkey: the authenticator offers those that it has for this host. */
export async function signInOptions({
  keys,
  party,
  now,
}: Ceremony): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    challenge: newChallenge(keys, { use: 'SIGN_IN' }, now),
  })
}

type StoredPasskey = Pick<NewPasskey, 'id' | 'public_key' | 'counter'> & { person_id: string }

/**
 * The counter that the passkey is to be stored with. Undefined if the response is not signed by it,
 * is to no challenge of this program, or its counter has gone back, as that of a copy does.
 */
export async function verifySignIn(
  { keys, party, now }: Ceremony,
  { id, public_key, counter, person_id }: StoredPasskey,
  response: AuthenticationResponseJSON,
): Promise<{ counter: bigint; challenge_hash: Buffer } | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const seen: { challenge?: string } = {}
  const isOf = (text: string) => isChallenge(keys, { use: 'SIGN_IN' }, text, now)
  const result = await orUndefined(() =>
    verifyAuthenticationResponse({
      response,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      expectedChallenge: (text) => isExpected(seen, text, isOf(text)),
      credential: { id, publicKey: new Uint8Array(public_key), counter: Number(counter) },
    }),
  )
  const isOwner = response.response.userHandle === Buffer.from(person_id).toString('base64url')
  if (!result?.verified || !isOwner || seen.challenge === undefined) return undefined
  return {
    counter: BigInt(result.authenticationInfo.newCounter),
    challenge_hash: digestOfChallenge(seen.challenge),
  }
}

function isExpected(seen: { challenge?: string }, text: string, isValid: boolean): boolean {
  if (isValid) seen.challenge = text
  return isValid
}

/** The library throws an Error for every response that is not as it should be. */
async function orUndefined<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
