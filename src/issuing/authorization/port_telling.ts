/** What the port tells of messages: counters, and masked lines at debug level alone. */

import { describe, describeFault } from '#iso8583/describe.ts'
import type { Fault, Message } from '#iso8583/message.ts'
import { answerMti, isAnswer } from '#iso8583/mti.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'

/** Masked: the only way in which a message reaches a log. */
export function tell(log: Log, what: 'received' | 'sent', message: Message): void {
  if (log.isLevelEnabled('debug')) log.debug({ iso8583: describe(message) }, what)
}

export function tellFault(log: Log, fault: Fault): void {
  metrics.networkFaults.inc({ reason: fault.reason })
  if (log.isLevelEnabled('debug')) log.debug({ iso8583: describeFault(fault) }, 'refused')
}

type Child = { inc(): void }
const children = new Map<string, Child>()

/** Labels are bounded: a type that nobody knows is counted as other. */
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
