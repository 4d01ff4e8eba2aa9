/** The body and the query of a request, as they are typed. */

import { readFileSync } from 'node:fs'
import { UsageFault } from './faults.ts'
import { valueIn } from './values.ts'

type Members = { [name: string]: unknown }

/**
 * `name=value` is text, `name:=json` any value; `merchant.mcc=5411` is a member of a member.
 * Undefined if nothing was typed.
 */
export function bodyOf(words: readonly string[], data: string | undefined): unknown {
  if (data !== undefined && words.length > 0) {
    throw new UsageFault('a body is either --data or members, not both')
  }
  if (data !== undefined) return parse(contentOf(data), '--data')
  if (words.length === 0) return undefined
  const body: Members = {}
  for (const word of words) {
    const [, name = '', sign, text = ''] = /^([\w.]+)(:?=)(.*)$/s.exec(word) ?? []
    if (name === '') throw new UsageFault(`${word} is neither name=value nor name:=json`)
    put(body, name.split('.'), sign === '=' ? text : parse(text, name), name)
  }
  return body
}

function put(body: Members, path: readonly string[], value: unknown, name: string): void {
  const [first = '', ...rest] = path
  // A member of that name would be the prototype of the object.
  if (first === '' || first === '__proto__') throw new UsageFault(`${name} is no name of a member`)
  if (rest.length === 0) {
    if (Object.hasOwn(body, first)) throw new UsageFault(`${name} is given twice`)
    body[first] = value
    return
  }
  if (!Object.hasOwn(body, first)) body[first] = {}
  const inner = body[first]
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
    throw new UsageFault(`${name}: ${first} is given as a value, too`)
  }
  put(Object.assign(inner), rest, value, name)
}

/** `@file`, `-` or `@-` for standard input, or the text itself. */
function contentOf(data: string): string {
  try {
    if (data === '-' || data === '@-') return readFileSync(0, 'utf8')
    return data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data
  } catch (error) {
    throw new UsageFault(`--data ${data}: ${error instanceof Error ? error.message : error}`)
  }
}

function parse(text: string, where: string): unknown {
  const value = valueIn(text)
  if (value === undefined) throw new UsageFault(`${where} is not JSON`)
  return value
}

/** `name=value` of a query; a name may be repeated. */
export function queryOf(words: readonly string[]): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const word of words) {
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(word) ?? []
    if (name === undefined || value === undefined || name === '__proto__') {
      throw new UsageFault(`--query ${word} is not name=value`)
    }
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}

/**
 * A path as it is typed. The key goes to no other host and to no other part of this one, so
 * whatever could lead there is refused.
 */
export function pathOf(text: string): string {
  if (!text.startsWith('/') || text.startsWith('//')) {
    throw new UsageFault(`${text} is no path: it begins with one /, as /users`)
  }
  if (/[^\x21-\x7e]|[\\?#]/.test(text)) {
    throw new UsageFault('a path has no spaces, \\, ? or #; use --query name=value for a query')
  }
  for (const part of text.split('/')) {
    const plain = part.replaceAll(/%2e/gi, '.')
    if (plain === '.' || plain === '..' || /%(2f|5c|00|23|3f)/i.test(part)) {
      throw new UsageFault(`${text} leads to another path`)
    }
  }
  return text
}
