/** The state of a scenario while it runs. */

import type { Tenant } from '../platform/tenant.ts'
import type { Line } from '../wire/line.ts'
import type { Counter, Exchange } from '../wire/messages.ts'
import type { Responder } from './responder.ts'

export type State = {
  tenant: Tenant
  line: Line
  responder: Responder
  counter: Counter
  variables: Map<string, unknown>
  /** Messages by the names that steps give them. */
  messages: Map<string, Exchange>
}

/** The result of a step, at which its expectations look. */
export type Done = {
  body?: unknown
  /** The message of the step, and the answer that the step itself got. */
  exchange?: Exchange
  answer?: Exchange['message'] | undefined
  /** The answer to the first message, for a repeat. */
  first?: Exchange['message'] | undefined
}
