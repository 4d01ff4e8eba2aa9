/** Tools that find, describe and call the operations that are no tools of their own. */

import type { Profile } from '../../kit/profiles.ts'
import { faultsOf } from '../operations/arguments.ts'
import type { Group, Operation } from '../operations/operations.ts'
import { type Arguments, annotationsOf, type OfferedTool, operationTool } from './operation_tool.ts'
import { answerOf, refusal } from './results.ts'

const FOUND_MAX = 12
/** Shorter ones, as of and a, are in every description. */
const SHORTEST_WORD = 3

type Directory = {
  operations: readonly Operation[]
  groups: readonly Group[]
  platform: Profile
  /** Why an operation is not among them. */
  reasonAgainst: (name: string) => string | undefined
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
const NAME = { type: 'string', maxLength: 100, description: 'Name of the operation.' }
const objectOf = (properties: object, required: string[]) => ({
  type: 'object' as const,
  properties: { ...properties },
  required,
  additionalProperties: false,
})

export function directoryTools(directory: Directory): OfferedTool[] {
  const hasWrites = directory.operations.some(({ isRead }) => !isRead)
  return [
    searchTool(directory),
    describeTool(directory),
    callTool(directory, true),
    ...(hasWrites ? [callTool(directory, false)] : []),
  ]
}

function searchTool({ operations, groups }: Directory): OfferedTool {
  const names = groups
    .filter(({ name }) => operations.some(({ group }) => group === name))
    .map(({ name }) => name)
  return {
    isRead: true,
    definition: {
      name: 'search_operations',
      title: 'Find operations of the API',
      description:
        'Finds operations of the card issuing API by words of their names and descriptions, by ' +
        'their group, or both. describe_operation has the arguments of one, and call_operation ' +
        'or call_write_operation calls it.',
      inputSchema: objectOf(
        {
          query: { type: 'string', maxLength: 200, description: 'Words, as velocity limits.' },
          group: { type: 'string', enum: names, description: 'Only operations of this group.' },
        },
        [],
      ),
      annotations: { ...READS, title: 'Find operations of the API', openWorldHint: false },
    },
    run: async ({ query = '', group }) => {
      const found = ranked(operations, String(query)).filter(
        (one) => group === undefined || one.group === group,
      )
      const shown = found.slice(0, FOUND_MAX).map(summaryOf)
      return answerOf({ operations: shown, left_out: found.length - shown.length })
    },
  }
}

const summaryOf = ({ id, title, group, method, path, isRead }: Operation) => ({
  operation: id,
  title,
  group,
  request: `${method} ${path}`,
  call_with: isRead ? 'call_operation' : 'call_write_operation',
})

/**
 * The operations that have most of the words; those with words in their title or name come first.
 */
function ranked(operations: readonly Operation[], query: string): readonly Operation[] {
  const words = (query.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter(
    (word) => word.length >= SHORTEST_WORD,
  )
  if (words.length === 0) return operations
  const scored = operations.map((one) => {
    const title = `${one.id} ${one.title} ${one.path} ${one.group}`.toLowerCase()
    const description = one.description.toLowerCase()
    const scores = words.map((word) => {
      const stem = word.replace(/s$/, '')
      return title.includes(stem) ? 2 : description.includes(stem) ? 1 : 0
    })
    return { one, score: scores.reduce<number>((sum, score) => sum + score, 0) }
  })
  const best = Math.max(...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score > 0 && score >= best / 2)
    .toSorted((first, second) => second.score - first.score)
    .map(({ one }) => one)
}

function describeTool({ operations, reasonAgainst }: Directory): OfferedTool {
  return {
    isRead: true,
    definition: {
      name: 'describe_operation',
      title: 'Describe an operation of the API',
      description:
        'Answers what an operation does, the JSON schema of its arguments and of its answer, and ' +
        'the codes of its errors.',
      inputSchema: objectOf({ operation: NAME }, ['operation']),
      annotations: { ...READS, title: 'Describe an operation of the API', openWorldHint: false },
    },
    run: async ({ operation: name }) => {
      const found = operations.find(({ id }) => id === name)
      if (!found) return refusal(absence(String(name), reasonAgainst))
      const { description, input, answer, codes } = found
      return answerOf({
        ...summaryOf(found),
        description,
        annotations: annotationsOf(found),
        input_schema: input,
        answer_schema: answer ?? null,
        error_codes: codes,
      })
    },
  }
}

function callTool(directory: Directory, isRead: boolean): OfferedTool {
  const { operations, platform, reasonAgainst } = directory
  const title = isRead ? 'Call an operation that reads' : 'Call an operation that writes'
  return {
    isRead,
    definition: {
      name: isRead ? 'call_operation' : 'call_write_operation',
      title,
      description: isRead
        ? 'Calls an operation of the API that changes nothing. Its arguments are those that ' +
          'describe_operation names.'
        : 'Calls an operation of the API that changes something. Its arguments are those that ' +
          'describe_operation names.',
      inputSchema: objectOf(
        {
          operation: NAME,
          arguments: { type: 'object', description: 'Arguments of the operation.' },
        },
        ['operation'],
      ),
      annotations: {
        title,
        readOnlyHint: isRead,
        destructiveHint: !isRead,
        idempotentHint: isRead,
        openWorldHint: false,
      },
    },
    run: async ({ operation: name, arguments: given = {} }, signal) => {
      const found = operations.find(({ id }) => id === name)
      if (!found) return refusal(absence(String(name), reasonAgainst))
      if (found.isRead !== isRead) {
        return refusal(`${found.id} is called with ${summaryOf(found).call_with}.`)
      }
      const faults = faultsOf(found.input, given)
      if (faults.length > 0) return refusal(faultyArguments(found.id, faults), { errors: faults })
      // The schema of this tool says that it is an object.
      return operationTool(found, platform).run(given as Arguments, signal)
    },
  }
}

const absence = (name: string, reasonAgainst: Directory['reasonAgainst']) =>
  reasonAgainst(name) ?? `There is no operation ${name}: search_operations finds them.`

export const faultyArguments = (name: string, faults: readonly string[]) =>
  `The arguments of ${name} are wrong: ${faults.join('; ')}.`
