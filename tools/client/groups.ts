/** Source text of the groups: a class for each tag, a typed function for each operation. */

import type { Answer, ClientModel, Group, Operation } from './document.ts'
import { pascal } from './names.ts'

const WIDTH = 96
const SANDBOX = 'Only in a sandbox.'

export type Source = { path: string; text: string }

/** Every file of the groups of a document; `isUsual` says which codes any operation may answer. */
export function sourcesOf(model: ClientModel, isUsual: (code: string) => boolean): Source[] {
  return [
    ...model.groups.map((group) => ({
      path: `groups/${fileNameOf(group)}`,
      text: groupSource(group, isUsual),
    })),
    { path: 'api.ts', text: apiSource(model) },
  ]
}

/** A type of the document may have the name of the group. */
const classOf = (name: string) => `${pascal(name)}Group`

const fileNameOf = ({ name }: Group) =>
  `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.ts`

function groupSource({ name, description, operations }: Group, isUsual: (code: string) => boolean) {
  const methods = operations.map((one) => methodSource(one, isUsual)).join('\n')
  const types = [...new Set(operations.flatMap(typesOf))].sort()
  const core = /path`/.test(methods) ? 'Group, path' : 'Group'
  const list = operations.some(({ answer }) => answer.kind === 'list')
  return `${comment([description])}
import { ${core}, type RequestOptions } from '../../../core/group.ts'
${list ? "import type { List } from '../../../core/lists.ts'" : ''}
${types.length > 0 ? `import type { ${types.join(', ')} } from '../types.ts'` : ''}

${comment([description])}
export class ${classOf(name)} extends Group {
${methods}
}
`
}

function typesOf({ body, query, headers, answer }: Operation): string[] {
  const answers = answer.kind === 'value' ? answer.type.split(' | ') : []
  const items = answer.kind === 'list' ? [answer.item, answer.extras] : []
  return [body?.type, query?.type, headers, ...answers, ...items].filter(
    (type) => type !== undefined,
  )
}

function methodSource(operation: Operation, isUsual: (code: string) => boolean): string {
  const { name, method, path, summary, description, isSandbox, codes, body, query } = operation
  const own = codes.filter((code) => !isUsual(code))
  const paragraphs = [
    `${summary}.`,
    [description, isSandbox && !/sandbox/i.test(description) ? SANDBOX : ''].join(' ').trim(),
    own.length > 0 ? `Errors of its own: ${own.map((code) => `\`${code}\``).join(', ')}.` : '',
    `\`${method} ${path}\``,
  ]
  const parameters = [
    ...operation.path_parameters.map((one) => `${one}: string`),
    ...(body ? [`body${body.isOptional ? '?' : ''}: ${body.type}`] : []),
    ...(query ? [`query${query.isOptional ? '?' : ''}: ${query.type}`] : []),
    `options?: RequestOptions${operation.headers ? ` & { headers?: ${operation.headers} }` : ''}`,
  ]
  return `${comment(paragraphs)}
${name}(${requiredFirst(parameters).join(', ')}): ${typeOf(operation.answer)} {
  return this.transport.${callOf(operation)}
}
`
}

/** A parameter that may be left out cannot precede one that may not. */
const requiredFirst = (parameters: readonly string[]): string[] =>
  parameters.toSorted((one, other) => Number(one.includes('?:')) - Number(other.includes('?:')))

function typeOf(answer: Answer): string {
  if (answer.kind === 'list') {
    return `List<${answer.item}${answer.extras === undefined ? '' : `, ${answer.extras}`}>`
  }
  if (answer.kind === 'raw') return 'Promise<Response>'
  return `Promise<${answer.kind === 'value' ? answer.type : 'void'}>`
}

function callOf({ method, path, path_parameters, body, query, isKeyed, answer }: Operation) {
  const target = path_parameters.length > 0 ? `path\`${path.replace(/\{/g, '${')}\`` : `'${path}'`
  const members = [
    body && (body.isForm ? 'form: body' : 'body'),
    query && 'query',
    isKeyed && 'keyed: true',
    answer.kind === 'list' && answer.cursor !== 'query' && `cursor: '${answer.cursor}'`,
    answer.kind === 'raw' && answer.accept && `accept: '${answer.accept}'`,
  ].filter((member) => typeof member === 'string' && member !== '')
  const call = { list: 'list', raw: 'raw', value: 'send', nothing: 'send' }[answer.kind]
  return `${call}('${method}', ${target}, { ${members.join(', ')} }, options)`
}

function apiSource({
  groups,
  prefix,
  idempotencyHeader,
  apiKeyHeader,
  sessionCookie,
}: ClientModel) {
  const names = groups.map(({ name }) => name)
  const imports = groups.map(
    (group) => `import { ${classOf(group.name)} } from './groups/${fileNameOf(group)}'`,
  )
  const members = groups.map(
    ({ name, description }) => `${comment([description])}\nreadonly ${name}: ${classOf(name)}`,
  )
  const constants = { prefix, idempotencyHeader, apiKeyHeader, sessionCookie }
  return `/** Every group of the document, and what its requests need. */
import type { Transport } from '../../core/transport.ts'
${imports.join('\n')}

export const api = ${JSON.stringify(constants)}

export class Groups {
${members.join('\n')}

constructor(transport: Transport) {
${names.map((name) => `this.${name} = new ${classOf(name)}(transport)`).join('\n')}
}
}
`
}

/** A comment of paragraphs, in lines that a reader of the file sees whole. */
export function comment(paragraphs: readonly string[]): string {
  const given = paragraphs.filter((text) => text !== '')
  const lines = given.flatMap((text, at) => [...(at > 0 ? [''] : []), ...wrapped(text)])
  if (lines.length === 1) return `/** ${lines[0]} */`
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.replaceAll('*/', '*\\/').split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < WIDTH)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
