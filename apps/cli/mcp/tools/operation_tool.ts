/** An operation of the API as a tool, with its texts from the document. */

import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Profile } from '../../kit/profiles.ts'
import { callOperation } from '../operations/call.ts'
import type { Operation } from '../operations/operations.ts'
import { answerOf } from './results.ts'

export type Arguments = Readonly<Record<string, unknown>>

export type OfferedTool = {
  definition: Tool
  isRead: boolean
  /** Its arguments fit the schema of the definition. */
  run: (given: Arguments, signal: AbortSignal) => Promise<CallToolResult>
}

export function operationTool(operation: Operation, platform: Profile): OfferedTool {
  const { id, title, description, input, isRead } = operation
  return {
    isRead,
    definition: {
      name: id,
      title,
      description,
      annotations: annotationsOf(operation),
      // The document's schemas are JSON, which the type of the library asks for.
      inputSchema: input as Tool['inputSchema'],
    },
    run: async (given, signal) => answerOf(await callOperation(platform, operation, given, signal)),
  }
}

/** Its body says by how much it moves the clock, so that PUT is not idempotent there. */
const NOT_IDEMPOTENT = 'moveClock'

/**
 * The hints that a client shows a person before a call. A POST to a collection only adds an object,
 * unless it moves money; everything else that is written replaces or ends something.
 */
export function annotationsOf(operation: Operation): ToolAnnotations {
  const { id, title, method, path, isRead, isOfSandbox, input } = operation
  const movesMoney = !isOfSandbox && 'amount' in input.properties
  const adds = method === 'POST' && !path.includes(':') && !movesMoney
  return {
    title,
    readOnlyHint: isRead,
    destructiveHint: !isRead && !adds,
    idempotentHint: isRead || (method !== 'POST' && id !== NOT_IDEMPOTENT),
    openWorldHint: false,
  }
}
