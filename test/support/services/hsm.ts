/** Asks the simulator of a hardware security module, without a connection. */

import assert from 'node:assert/strict'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encryptByVariants } from '#pin/variant_keys.ts'
import { answerTo } from '#sandbox/hsm/answer.ts'
import { LMKS } from '#sandbox/hsm/lmk.ts'

const HEADER = '0042'

export const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
export const secret = (hex: string): Secret<Buffer> => new Secret(bytes(hex))
export const upper = (data: Buffer): string => data.toString('hex').toUpperCase()

/** Texts as they are, and bytes. */
export type Part = string | Buffer
export const message = (...parts: Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part, 'latin1'))))

export type Reply = { code: string; fields: Buffer; text: string }

/** The answer to a command: its error code and its fields. */
export function ask(command: string, ...parts: Part[]): Reply {
  const answer = answerTo(message(HEADER, command, ...parts), HEADER.length)
  const name = command.charAt(0) + String.fromCharCode(command.charCodeAt(1) + 1)
  assert.equal(answer.toString('latin1', 0, 6), HEADER + name)
  const fields = answer.subarray(8)
  return { code: answer.toString('latin1', 6, 8), fields, text: fields.toString('latin1') }
}

/** The fields of an answer whose code is 00. */
export function done(command: string, ...parts: Part[]): string {
  const { code, text } = ask(command, ...parts)
  assert.equal(code, '00', `${command}: ${code} ${text}`)
  return text
}

/** The transport key of the tests, which is that of docs/hsm_simulator.md. */
export const ZMK = '0123456789ABCDEFFEDCBA9876543210'

const [own, other] = LMKS
assert.ok(own && other)
const pair = own.pairs[2]
assert.ok(pair)
/** The same under LMK 00. */
export const ZMK_UNDER_LMK = `U${upper(encryptByVariants(secret(ZMK), pair))}`
const otherPair = other.pairs[2]
assert.ok(otherPair)
/** The same under LMK 01. */
export const ZMK_UNDER_LMK_01 = `U${upper(encryptByVariants(secret(ZMK), otherPair))}`

/** A clear key brought in under the transport key; `more` is an LMK or attributes. */
export function imported(type: string, hex: string, more = ''): string {
  const zmk = more.startsWith('%01') ? ZMK_UNDER_LMK_01 : ZMK_UNDER_LMK
  const sent = upper(new TdesKey(secret(ZMK)).encrypt(bytes(hex)))
  const [x, u] = hex.length === 32 ? ['X', 'U'] : ['Y', 'T']
  const scheme = more.includes('#') ? 'S' : u
  const { code, text } = ask('A6', type, zmk, x, sent, scheme, more)
  assert.match(code, /^0[01]$/, `${type}: ${code}`)
  return text.slice(0, -6)
}
