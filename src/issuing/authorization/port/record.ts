/**
 * The port's entries in the log of messages. It is a diagnostic: its fault is no fault of the
 * answer.
 */

import type { Fault } from '#iso8583/message.ts'
import type { OnWire, WireLog } from '#issuing/wire_messages/wire_messages.ts'
import type { BoundedLines } from '#kit/bounded_lines.ts'
import type { Approval } from './reversals.ts'

/** Status code of a message that lacks DE22: every other field is where it should be. */
const NO_ENTRY_MODE = '1846'

type Recording = {
  wire: Pick<WireLog, 'put'> | null
  lines: BoundedLines
  decided: Approval
  came: OnWire
  sent: OnWire | null
  fault: Fault | undefined
}

/** Never throws. Returns what takes the answer out of the record, because it could not leave. */
export function record({ wire, lines, decided, came, sent, fault }: Recording): () => void {
  const { tenant_id, request, answer } = decided
  const { format_fault } = request
  const whole = !fault && (!format_fault || format_fault.status_code === NO_ENTRY_MODE)
  const { transaction_id } = answer
  const exchange = { transaction_id, source: 'NETWORK', whole, received: came, sent } as const
  try {
    return wire?.put(tenant_id, exchange) ?? nothing
  } catch (error) {
    lines.writeFailure(error, {}, 'a message of the card network was not recorded')
    return nothing
  }
}

const nothing = () => {}

/** Does both when an answer could not be sent. */
export const both = (first: (() => void) | undefined, then: () => void) => () => {
  first?.()
  then()
}
