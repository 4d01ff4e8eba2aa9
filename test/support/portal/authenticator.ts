/** An authenticator in software: makes passkeys and signs with them, as a browser would send it. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { World } from '../world.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Passkey = { id: string; key: KeyObject; user_handle: string; counter: number }

/** Differences of a test's authenticator from an honest one at `origin`. */
export type Deviation = {
  origin?: string
  rp_id?: string
  challenge?: string
  verified?: boolean
  counter?: number
  user_handle?: string
  key?: KeyObject
}

/** The origin of a world's pages under the name that loopback has. */
export const localOrigin = ({ origin }: Pick<World, 'origin'>): string =>
  origin().replace('127.0.0.1', 'localhost')

const text = (bytes: Uint8Array | Buffer): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

export class Authenticator {
  readonly #origin: string
  readonly passkeys: Passkey[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  register(
    options: PublicKeyCredentialCreationOptionsJSON,
    deviation: Deviation = {},
  ): RegistrationResponseJSON {
    const key = newKey()
    const id = randomBytes(32)
    this.passkeys.push({ id: text(id), key, user_handle: options.user.id, counter: 0 })
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, coseOf(key)])
    const rp_id = options.rp.id ?? ''
    const data = dataOf({ rp_id, counter: 0, ...deviation }, HAS_CREDENTIAL)
    const attestation = isoCBOR.encode(
      new Map<string, string | Map<string, string> | Uint8Array>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(Buffer.concat([data, credential]))],
      ]),
    )
    return {
      id: text(id),
      rawId: text(id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        attestationObject: text(attestation),
        clientDataJSON: text(this.#clientData('webauthn.create', options.challenge, deviation)),
        transports: ['internal'],
      },
    }
  }

  /** Signs with the newest passkey. */
  signIn(
    options: PublicKeyCredentialRequestOptionsJSON,
    deviation: Deviation = {},
  ): AuthenticationResponseJSON {
    const passkey = this.passkeys.at(-1)
    if (!passkey) throw new Error('the authenticator has no passkey')
    passkey.counter += 1
    const { id, counter, user_handle } = passkey
    const data = dataOf({ rp_id: options.rpId ?? '', counter, ...deviation }, 0)
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation)
    const signed = Buffer.concat([data, sha256(clientData)])
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        authenticatorData: text(data),
        clientDataJSON: text(clientData),
        signature: text(sign('sha256', signed, deviation.key ?? passkey.key)),
        userHandle: deviation.user_handle ?? user_handle,
      },
    }
  }

  #clientData(type: string, challenge: string, { origin, challenge: other }: Deviation): Buffer {
    const data = { type, challenge: other ?? challenge, origin: origin ?? this.#origin }
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }))
  }
}

type DataParts = { rp_id: string; counter: number; verified?: boolean }

function dataOf({ rp_id, counter, verified = true }: DataParts, flags: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags | USER_PRESENT | (verified ? USER_VERIFIED : 0))
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rp_id), rest])
}

/** The public key as COSE has it (RFC 9053): EC2, ES256, P-256. */
function coseOf(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'))
  const entries: [number, number | Uint8Array<ArrayBuffer>][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ]
  return isoCBOR.encode(new Map(entries))
}
