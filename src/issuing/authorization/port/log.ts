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
  metrics.networkFaults.inc({ reason: fault.reason })
  if (!log.isLevelEnabled('debug')) return
  log.debug({ iso8583: describeFault({ ...fault, read: null }) }, 'rejected')
}

type Child = { inc(): void }
const children = new Map<string, Child>()

/** Labels are bounded: an unknown type is counted as other. */
export function count(direction: 'in' | 'out', type: string): void {
  const mti = isAnswer(type) || answerMti(type) !== null ? type : 'other'
  const name = `${direction} ${mti}`
  let child = children.get(name)
  if (child === undefined) {
    child = metrics.networkMessages.labels({ direction, mti })
    children.set(name, child)
  }
  child.inc()
}
