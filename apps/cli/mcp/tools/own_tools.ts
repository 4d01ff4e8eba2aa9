/** Tools that are more than one operation: those behind `bezant explain` and `bezant trigger`. */

import { stripVTControlCharacters } from 'node:util'
import { type EndSignal, onEndSignal } from '#lib/process/end_signals.ts'
import { inWords } from '../../commands/explain.ts'
import { cause, kindOf } from '../../commands/trigger.ts'
import { clientOf } from '../../kit/platform.ts'
import type { Profile } from '../../kit/profiles.ts'
import { kindGroups, kinds } from '../../trigger/kinds.ts'
import type { Step, TriggerOptions } from '../../trigger/stage.ts'
import { withoutSecrets } from '../operations/secrets.ts'
import type { OfferedTool } from './operation_tool.ts'
import { failureOf, textResult } from './results.ts'

export function explainTool(platform: Profile): OfferedTool {
  const title = 'Explain a decision'
  return {
    isRead: true,
    definition: {
      name: 'explain_transaction',
      title,
      description:
        'Says in words why a transaction was approved or declined, with every check in its ' +
        'order, what it found and which one decided.',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'Id of the transaction.' },
        },
        required: ['id'],
        additionalProperties: false,
      },
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    run: async ({ id }, signal) => {
      const { transactions } = clientOf(platform)
      const [transaction, trace] = await Promise.all([
        transactions.get(String(id), { signal }),
        transactions.getTrace(String(id), { signal }),
      ])
      // A terminal that is asked for colours gets them; a model does not.
      const lines = inWords(transaction, trace).map(stripVTControlCharacters)
      const value = withoutSecrets({ transaction, trace })
      return textResult(lines.join('\n'), Object(value))
    },
  }
}

/** Options of `bezant trigger`, by the name that each has as an argument. */
const OPTIONS = {
  card: 'Id of the card that pays; a new one where it is left out.',
  user: 'Id of the user, in place of a new one.',
  transaction: 'Id of the purchase that is cleared, reversed, increased or refunded.',
  amount: 'Amount in major units, as 12.50.',
  currency: 'Currency; that of the account where it is left out.',
  mcc: 'Category of the merchant, four digits.',
  country: 'Country of the merchant.',
  merchant: 'Id of the merchant.',
  entry_mode: 'How the card is read, as CHIP.',
}

export function triggerTool(platform: Profile): OfferedTool {
  const title = 'Cause an event or a decline'
  const list = kindGroups.map(([group, some]) => {
    const lines = some.map(({ name, about }) => `- ${name}: ${about}`)
    return `${group}:\n${lines.join('\n')}`
  })
  return {
    isRead: false,
    definition: {
      name: 'trigger',
      title,
      description:
        'Causes an event or a decline in the sandbox, makes what is needed for it, and answers ' +
        `each step with the id of its object.\n\n${list.join('\n\n')}`,
      inputSchema: {
        type: 'object',
        properties: {
          kind: {
            type: 'string',
            enum: kinds.map(({ name }) => name),
            description: 'What is to happen.',
          },
          ...Object.fromEntries(
            Object.entries(OPTIONS).map(([name, description]) => [
              name,
              { type: 'string', minLength: 1, maxLength: 100, description },
            ]),
          ),
        },
        required: ['kind'],
        additionalProperties: false,
      },
      annotations: {
        title,
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    // It is not cancelled on its way: settings that it has changed have to be put back.
    run: async ({ kind: name, entry_mode, ...others }) => {
      // The schema says that each of them is text.
      const options = { ...others, ...(entry_mode !== undefined && { entryMode: entry_mode }) }
      const kind = kindOf(String(name), options as TriggerOptions)
      const steps: Step[] = []
      const said = () => steps.map(({ what, id }) => (id ? `${what}  ${id}` : what)).join('\n')
      try {
        await untilDone(() =>
          cause(kind, options as TriggerOptions, platform, (step) => steps.push(step)),
        )
        return textResult(said(), { kind: kind.name, steps })
      } catch (error) {
        const failure = failureOf(error, 'Whether its last step took effect is unknown.')
        const before = { type: 'text' as const, text: `Before that:\n${said()}` }
        return steps.length === 0 ? failure : { ...failure, content: [...failure.content, before] }
      }
    },
  }
}

/**
 * An agent's program that ends ends this process by SIGTERM, which then waits for the end of it, as
 * it does where a terminal ends both.
 */
async function untilDone(run: () => Promise<unknown>): Promise<void> {
  let asked: EndSignal | undefined
  const stopListening = onEndSignal((signal) => {
    asked = signal
  })
  try {
    await run()
  } finally {
    stopListening()
    if (asked) process.kill(process.pid, asked)
  }
}
