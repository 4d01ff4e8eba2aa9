/** JSON from outside, parsed at the edge: what the rest may rely on is established here. */

import { isCleanText } from '#lib/text.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
const DEPTH_LIMIT = 32
const VALUES_LIMIT = 20_000
/** A double carries 15 decimal digits exactly; a longer numeral would be changed unseen (D-6). */
const DIGITS_LIMIT = 15

/** A numeral that stands for a name is no longer than this (D-126). */
const EXACT_DIGITS_LIMIT = 64

/** The body is not acceptable JSON. HTTP 400; the message is safe to tell. */
export class BadBody extends Error {
  override name = 'BadBody'
}

/**
 * Parses a JSON body; empty bytes are no body. Throws BadBody. A repeated member's last value wins.
 * A numeral of a member named in `exact` that a number would change is answered as its text.
 */
export function parseJson(bytes: Buffer, exact: readonly string[] = []): unknown {
  if (bytes.length === 0) return undefined
  const text = decodeText(bytes)
  assertShallow(text)
  const value = parse(text, new Set(exact))
  assertClean(value)
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new BadBody('The body is not valid UTF-8')
  }
}

/** Counts brackets outside strings before anything recursive sees the text. */
function assertShallow(text: string): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 0x5c) at++
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) depth++
    else if (char === 0x7d || char === 0x5d) depth--
    if (depth > DEPTH_LIMIT) throw new BadBody(`The body nests deeper than ${DEPTH_LIMIT} levels`)
  }
}

/** Sixteen digits, or an exponent that may take a number down to nothing. */
const NEEDS_A_LOOK = /[\d.]{16,}|\de-\d{2,}/i

function parse(text: string, exact: ReadonlySet<string>): unknown {
  const look = exact.size > 0 || NEEDS_A_LOOK.test(text)
  try {
    // The reviver that sees the numerals is slow, so it runs only where a long one may stand.
    return look ? JSON.parse(text, (...member) => keptNumeral(exact, ...member)) : JSON.parse(text)
  } catch (error) {
    throw error instanceof BadBody ? error : new BadBody('The body is not valid JSON')
  }
}

type Member = [name: string, value: unknown, context?: { source: string }]

function keptNumeral(exact: ReadonlySet<string>, ...member: Member): unknown {
  const [name, value, context] = member
  const isExact = exact.has(name) && typeof value === 'number' && context !== undefined
  if (!isExact || context.source.length > EXACT_DIGITS_LIMIT) return refuseLongNumeral(...member)
  return String(value) === context.source ? value : context.source
}

function refuseLongNumeral(_name: string, value: unknown, context?: { source: string }): unknown {
  if (typeof value !== 'number' || !context) return value
  const digits = context.source.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, '')
  if (digits.length > DIGITS_LIMIT) {
    throw new BadBody(`A number has more than ${DIGITS_LIMIT} digits`)
  }
  if (value === 0 && /[1-9]/.test(digits)) throw new BadBody('A number is out of range')
  return value
}

function assertClean(root: unknown): void {
  const waiting: unknown[] = [root]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen > VALUES_LIMIT) throw new BadBody(`The body has more than ${VALUES_LIMIT} values`)
    const value = waiting.pop()
    if (typeof value === 'string') assertCleanText(value)
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new BadBody('A number is out of range')
    } else if (Array.isArray(value)) {
      if (value.length > VALUES_LIMIT) throw new BadBody('The body has too many values')
      waiting.push(...value)
    } else if (value !== null && typeof value === 'object') pushMembers(value, waiting)
  }
}

function pushMembers(value: object, waiting: unknown[]): void {
  const members = Object.entries(value)
  if (members.length > VALUES_LIMIT) throw new BadBody('The body has too many members')
  for (const [name, member] of members) {
    if (name === '__proto__') throw new BadBody('A member may not be named __proto__')
    assertCleanText(name)
    waiting.push(member)
  }
}

function assertCleanText(text: string): void {
  if (!isCleanText(text)) throw new BadBody('Text holds U+0000 or a lone surrogate')
}
