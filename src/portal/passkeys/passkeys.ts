/** Public functions of passkeys (D-140, D-582). */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { readClock } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import {
  type Basis,
  basesOf,
  dropUnconfirmed,
  forgetCallers,
  forgetProofs,
} from '#portal/second_factors/second_factors.ts'
import {
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from './ceremonies.ts'
import { type RelyingParty, relyingPartyOf } from './relying_party.ts'
import {
  deletePasskey,
  findPasskeyRow,
  findPerson,
  insertPasskey,
  insertUsedChallenge,
  listPasskeyRows,
  type PasskeyRow,
  updatePasskeyUsed,
} from './store.ts'

/** The host and the name of this deployment, as its configuration has them now. */
export type Site = { public_url: string; operator_name: string }

/**
 * The options that the browser passes to `navigator.credentials.create` for a further passkey.
 * `basis` still has to hold when the passkey is confirmed, in the same session (D-990).
 */
export async function startPasskey(
  ctx: Context | Tx,
  person_id: string,
  site: Site,
  { basis = 'PASSWORD' }: { basis?: Basis } = {},
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const ceremony = await ceremonyOf(ctx, site)
  const person = await findPerson(ctx, person_id)
  if (!person) throw new ApiError('not_found')
  const rows = await listPasskeyRows(ctx, person_id)
  const known = rows.map(({ id }) => id)
  const session_id = ctx.member?.session_id
  return registrationOptions(ceremony, { ...person, known, basis, session_id })
}

type NewPasskey = { name: string; credential: RegistrationResponseJSON }

/**
 * Stores the passkey that the browser made. Fails with `passkey_invalid` if the response is not one
 * to an unused challenge for this person, its passkey exists, or there are 20 already.
 */
export async function confirmPasskey(
  ctx: Context | Tx,
  person_id: string,
  { name, credential }: NewPasskey,
  site: Site,
): Promise<PasskeyRow> {
  return transact(ctx, async (tx) => {
    const ceremony = await ceremonyOf(tx, site)
    const allowed = { bases: await basesOf(tx, person_id), session_id: tx.member?.session_id }
    const made = await verifyRegistration(ceremony, person_id, credential, allowed)
    if (!made) throw new ApiError('passkey_invalid')
    const { challenge_hash, ...passkey } = made
    if (!(await insertUsedChallenge(tx, challenge_hash))) throw new ApiError('passkey_invalid')
    const row = await insertPasskey(tx, { ...passkey, person_id, name })
    if (!row) throw new ApiError('passkey_invalid')
    await dropUnconfirmed(tx, person_id)
    forgetCallers(tx)
    return row
  })
}

/** All passkeys of the person, oldest first: at most 20. */
export const listPasskeys = (ctx: Context | Tx, person_id: string): Promise<PasskeyRow[]> =>
  listPasskeyRows(ctx, person_id)

/** Fails with `not_found` if the person has no such passkey. */
export function removePasskey(ctx: Context | Tx, person_id: string, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await deletePasskey(tx, person_id, id))) throw new ApiError('not_found')
    await forgetProofs(tx, person_id)
    forgetCallers(tx)
  })
}

/**
 * The options that the browser passes to `navigator.credentials.get`. Writes nothing and names no
 * account.
 */
export async function startSignIn(
  ctx: Context | Tx,
  site: Site,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return signInOptions(await ceremonyOf(ctx, site))
}

/** The person of a passkey; undefined for an unknown one. */
export async function ownerOfPasskey(ctx: Context | Tx, id: string): Promise<string | undefined> {
  return (await findPasskeyRow(ctx, id))?.person_id
}

/**
 * The person who signs in with a passkey; undefined for one that is unknown, or a response that is
 * not right. The challenge and the counter are used up with the transaction, in every process.
 */
export async function personOfPasskey(
  tx: Tx,
  credential: AuthenticationResponseJSON,
  site: Site,
): Promise<string | undefined> {
  const ceremony = await ceremonyOf(tx, site)
  const row = await findPasskeyRow(tx, credential.id)
  const verified = row && (await verifySignIn(ceremony, row, credential))
  if (!verified) return undefined
  if (!(await insertUsedChallenge(tx, verified.challenge_hash))) return undefined
  const isUsed = await updatePasskeyUsed(tx, row, verified.counter)
  return isUsed ? row.person_id : undefined
}

/** Fails with `not_configured` if the host of PUBLIC_URL is an address. */
async function ceremonyOf(ctx: Context | Tx, { public_url, operator_name }: Site) {
  const party: RelyingParty | undefined = relyingPartyOf(public_url, operator_name)
  if (!party) throw new ApiError('not_configured', { detail: NO_HOST })
  return { keys: ctx.keys, party, now: await readClock(ctx.db) }
}

const NO_HOST = 'Passkeys need a PUBLIC_URL whose host is a name, not an address.'
