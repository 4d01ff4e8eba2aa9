/** Network management (0800): the management of the connection itself (docs/iso8583.md 7). */

import type { Fields, Message } from '#iso8583/message.ts'
import { answerMti, mtiClass } from '#iso8583/mti.ts'

/** DE70. */
export const networkCodes = { sign_on: '001', sign_off: '002', cut_over: '201', echo: '301' }

/** DE70 of a key that comes, or is asked for: ZPK by 161, ZAK by 162. */
export const keyCodes = { change: '101', zpk: '161', zak: '162' }

export const isKeyExchange = ({ fields }: Message): boolean =>
  Object.values(keyCodes).includes(fields[70] ?? '')

/** Key exchange and advice control: known codes of functions that the platform does not offer. */
const unsupported: ReadonlySet<string> = new Set(['081', '082', '083', '101', '161', '162'])

const ACCEPTED = '00'
const INVALID = '12'
const FORMAT = '30'
const NOT_SUPPORTED = '40'

const echoed = [7, 11, 15, 33, 70]

export function isManagement({ mti }: Message): boolean {
  const kind = mtiClass(mti)
  return kind === '0800' || kind === '0820'
}

/** The answer, and whether the peer is signed on after it (undefined: as before). */
export type Managed = { answer: Message | null; signed_on?: boolean }

/** `faulty`: the codec rejected a field; such a message changes nothing. */
export function manage({ mti, fields }: Message, faulty: boolean): Managed {
  const de39 = faulty ? FORMAT : de39Of(fields)
  const answer = answerTo(mti, fields, de39)
  if (de39 !== ACCEPTED) return { answer }
  if (fields[70] === networkCodes.sign_on) return { answer, signed_on: true }
  if (fields[70] === networkCodes.sign_off) return { answer, signed_on: false }
  return { answer }
}

function de39Of({ 7: transmitted, 11: stan, 70: code }: Fields): string {
  if (transmitted === undefined || stan === undefined || code === undefined) return FORMAT
  if (Object.values(networkCodes).includes(code)) return ACCEPTED
  return unsupported.has(code) ? NOT_SUPPORTED : INVALID
}

function answerTo(mti: string, fields: Fields, de39: string): Message | null {
  const answer = answerMti(mti)
  if (answer === null) return null
  const echo: Fields = { 39: de39 }
  for (const de of echoed) if (fields[de] !== undefined) echo[de] = fields[de]
  return { mti: answer, fields: echo }
}

/** `stan` counts up per connection. The instant is in UTC. */
export type OwnMessage = { now: Date; stan: number; institution: string }

/** A message about the connection that begins here. */
export function managementMessage(code: string, { now, stan, institution }: OwnMessage): Message {
  const transmitted = now.toISOString().replaceAll(/\D/g, '').slice(4, 14)
  return {
    mti: '0800',
    fields: {
      7: transmitted,
      11: String(stan % 1_000_000).padStart(6, '0'),
      33: institution,
      70: code,
    },
  }
}
