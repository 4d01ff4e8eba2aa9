/** The port's reports of messages: counters, and masked lines at debug level only. */

import { describe, describeFault } from '#iso8583/describe.ts'
import type { Fault, Fields, Message } from '#iso8583/message.ts'
import { answerMti, isAnswer } from '#iso8583/mti.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '../metrics.ts'

/**
 * A whole message is logged masked, field by field. Any other is logged with type, trace number and
 * response code only: the start of its fields is a guess, and a harmless field may be part of a
 * track.
 */
export function logMessage(
  log: Log,
  what: 'received' | 'sent',
  message: Message,
  whole: boolean,
): void {
  if (!log.isLevelEnabled('debug')) return
  log.debug({ iso8583: describe(whole ? message : outlineOf(message)) }, what)
}

const outline = [11, 39]

function outlineOf({ mti, fields }: Message): Message {
  const kept: Fields = {}
  for (const de of outline) if (fields[de] !== undefined) kept[de] = fields[de]
  return { mti, fields: kept }
}

export function logFault(log: Log, fault: Fault): void {
  if (!log.isLevelEnabled('debug')) return
  log.debug({ iso8583: describeFault({ ...fault, read: null }) }, 'rejected')
}

/** Bytes of a message that are shown as they are: too few for a card number. */
const SHOWN = 4
const OUTLINED = 24

/**
 * The beginning of bytes that are no message: the first four in hex, then the kind of each: n a
 * digit in ASCII, e one in EBCDIC, a a letter, . a zero byte, - another. No kind is a digit: with
 * the hex before them they would look like a card number, which no log line shows.
 */
export function outlineOfBytes(bytes: Buffer): string {
  const kinds = [...bytes.subarray(SHOWN, OUTLINED)].map((byte) => {
    if (byte === 0) return '.'
    if (byte >= 0x30 && byte <= 0x39) return 'n'
    if (byte >= 0xf0 && byte <= 0xf9) return 'e'
    return /[A-Za-z]/.test(String.fromCharCode(byte)) ? 'a' : '-'
  })
  const first = bytes.subarray(0, SHOWN).toString('hex')
  return `${first} ${kinds.join('')}${bytes.length > OUTLINED ? '...' : ''}`
}

type Child = { inc(): void }
const children = new Map<string, Child>()

/** Labels are bounded: an unknown type is counted as other. */
export function count(network: string, direction: 'in' | 'out', type: string): void {
  const mti = isAnswer(type) || answerMti(type) !== null ? type : 'other'
  const name = `${network} ${direction} ${mti}`
  let child = children.get(name)
  if (child === undefined) {
    child = metrics.networkMessages.labels({ network, direction, mti })
    children.set(name, child)
  }
  child.inc()
}
