/** The error bodies of the merchant API (D-88) and the indentation of its answers. */

import type { Fault } from '#kit/http/answers/problems.ts'
import type { Fault as FieldFault } from '#lib/result.ts'

/** The member for faults of the whole body. */
const NO_FIELD = 'non_field_errors'
const INDENT_MAX = 8
/** No list of a request is longer (D-81). */
const INDEX_MAX = 1_000

const sentences: Partial<Record<string, string>> = {
  unauthenticated: 'The token or the keys are missing, not valid or expired.',
  permission_missing: 'This token does not allow the operation.',
  not_found: 'Not found.',
  method_not_allowed: 'Method not allowed.',
  content_type_unsupported: 'Send the body as application/json.',
}

/** A 400 is nested as the request is; every other status has one `detail`. */
export function formatError(fault: Fault): { content_type: string; body: string } {
  const { status, code, detail, errors = [] } = fault
  const body =
    status === 400 ? nested(plainErrors(fault, errors)) : { detail: sentences[code] ?? detail }
  return { content_type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function plainErrors({ detail }: Fault, errors: readonly FieldFault[]): readonly FieldFault[] {
  if (errors.length === 0) return [{ path: '', message: detail }]
  return errors.map(({ path, message }) => ({ path, message: plainMessage(message) }))
}

const TYPES: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

/** The message of the JSON schema validator in plain language; other messages are unchanged. */
export function plainMessage(message: string): string {
  const [, types] = /^must be (?:of type )?((?:\w+)(?:(?:,| or )\w+)*)$/.exec(message) ?? []
  const names = types?.split(/,| or /).flatMap((type) => (type === 'null' ? [] : [TYPES[type]]))
  if (names && names.length > 0 && names.every((name) => name !== undefined)) {
    return `must be ${names.join(' or ')}`
  }
  const [, bound, count, what] =
    /^must NOT have (more|fewer) than (\d+) (characters|items|properties)$/.exec(message) ?? []
  if (count === '1' && bound === 'fewer') return 'must not be empty'
  if (count !== undefined)
    return `must have at ${bound === 'more' ? 'most' : 'least'} ${count} ${what}`
  if (message.startsWith('must match pattern')) return 'has characters that are not allowed here'
  if (message.startsWith('must match format')) return 'is not written as it should be'
  return message
}

type Tree = { messages: string[]; members: Map<string, Tree> }

/** `order.customer.email` becomes nested members, with the messages as a list. */
export function nested(errors: readonly FieldFault[]): unknown {
  const root: Tree = { messages: [], members: new Map() }
  for (const { path, message } of errors) {
    let place = root
    for (const name of path === '' ? [NO_FIELD] : path.split('.')) place = member(place, name)
    place.messages.push(message)
  }
  return withOwn(root, Object.fromEntries(plainMembers(root)))
}

function member({ members }: Tree, name: string): Tree {
  const known = members.get(name)
  if (known) return known
  const made: Tree = { messages: [], members: new Map() }
  members.set(name, made)
  return made
}

/** The faults of a list of objects are a list, with empty objects for the valid items. */
function plain(tree: Tree): unknown {
  const { messages, members } = tree
  if (members.size === 0) return messages
  const isList = [...members].every(
    ([name, item]) => /^\d{1,4}$/.test(name) && Number(name) < INDEX_MAX && item.members.size > 0,
  )
  if (!isList || messages.length > 0) return withOwn(tree, Object.fromEntries(plainMembers(tree)))
  const length = Math.max(...[...members.keys()].map(Number)) + 1
  return Array.from({ length }, (_, at) => {
    const item = members.get(String(at))
    return item ? plain(item) : {}
  })
}

const plainMembers = ({ members }: Tree): [string, unknown][] =>
  [...members].map(([name, tree]) => [name, plain(tree)])

const withOwn = ({ messages }: Tree, members: object): object =>
  messages.length > 0 ? { [NO_FIELD]: messages, ...members } : members

/** `Accept: application/json; indent=4` requests lines and indentation (D-88). */
export function withIndent(accept: string | undefined, body: string): string {
  const indent = Number(/application\/json\s*;\s*indent=(\d{1,2})/i.exec(accept ?? '')?.[1] ?? 0)
  if (indent === 0 || body === '') return body
  return JSON.stringify(JSON.parse(body), null, Math.min(indent, INDENT_MAX))
}
