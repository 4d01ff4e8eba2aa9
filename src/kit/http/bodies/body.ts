/** Parses JSON bodies and establishes what the rest of the program relies on. */

import type { Fault } from '#lib/result.ts'
import { isCleanText } from '#lib/text.ts'

export const BODY_LIMIT_BYTES = 1024 * 1024
const DEPTH_LIMIT = 32
const VALUES_LIMIT = 20_000
/** A double holds 15 decimal digits exactly; a longer numeral would change silently (D-6). */
const DIGITS_LIMIT = 15
/** The longest numeral that is a name (D-126). */
const EXACT_DIGITS_LIMIT = 64

/** The body is not acceptable JSON. HTTP 400; the message is safe to show. */
export class BadBody extends Error {
  override name = 'BadBody'
}

/** A parsed body, with a fault for every value in it that cannot be kept as it was sent. */
export type ReadBody = { value: unknown; faults: readonly Fault[] }

export type Numerals = {
  /** Members whose numerals keep every digit. */
  exact?: readonly string[] | undefined
  /** A fraction is what the shortest text of its number says, however many digits are sent. */
  shortest?: boolean | undefined
}

/**
 * Reads a JSON body; empty bytes are no body. Throws BadBody for faults of the body as a whole;
 * numbers and text that cannot be stored are faults of their members (D-125, D-901). A repeated
 * member's last value wins. A numeral of a member named in `exact` that a number would change
 * becomes its text.
 */
export function readJson(bytes: Buffer, numerals: Numerals = {}): ReadBody {
  if (bytes.length === 0) return { value: undefined, faults: [] }
  const text = decodeText(bytes)
  assertShallow(text)
  const { value, faults } = parse(text, numerals)
  const isClean = checkValues(value)
  return { value, faults: isClean ? faults : [...faults, ...uncleanIn(value)] }
}

/** The same without faults of members: throws BadBody for such a value too. */
export function parseJson(bytes: Buffer): unknown {
  const { value, faults } = readJson(bytes)
  const [fault] = faults
  if (fault) throw new BadBody(`A value ${fault.message}`)
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

/** Counts brackets outside strings before a recursive parser gets the text. */
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

/** Sixteen digits, or an exponent that may make a number zero. */
const NEEDS_A_LOOK = /[\d.]{16,}|\de-\d{2,}/i

function parse(text: string, { exact = [], shortest = false }: Numerals): ReadBody {
  // The reviver that gets the numerals is slow, so it runs only if a long one may be.
  if (exact.length === 0 && !NEEDS_A_LOOK.test(text)) return { value: parsed(text), faults: [] }
  const bad: BadNumeral[] = []
  const value = parsed(text, function (this: unknown, name, member, context) {
    const source = context?.source ?? ''
    const isName = typeof member === 'number' && exact.includes(name)
    if (isName && source.length <= EXACT_DIGITS_LIMIT) {
      return String(member) === source ? member : source
    }
    const tooLong = `is a number of more than ${EXACT_DIGITS_LIMIT} characters`
    const isFraction = shortest && /[.eE]/.test(source)
    const message = isName ? tooLong : isFraction ? undefined : faultOfNumeral(member, source)
    if (message !== undefined) bad.push({ holder: this, name, message })
    return member
  })
  return { value, faults: bad.length === 0 ? [] : namedIn(value, bad) }
}

type Reviver = (this: unknown, name: string, value: unknown, context?: Numeral) => unknown
type Numeral = { source: string }
/** A member without a name would read like the body as a whole. */
const NO_NAME = '""'
type BadNumeral = { holder: unknown; name: string; message: string }

function parsed(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    throw new BadBody('The body is not valid JSON')
  }
}

function faultOfNumeral(value: unknown, source: string): string | undefined {
  if (typeof value !== 'number' || source === '') return undefined
  const digits = source.replace(/[eE].*$/s, '').replace(/^-?0*\.?0*|\./g, '')
  if (digits.length > DIGITS_LIMIT) return `has more than ${DIGITS_LIMIT} digits`
  if (value === 0 && /[1-9]/.test(digits)) return 'is out of range'
  return undefined
}

/** The paths of the numbers that the reviver found by their holders. */
function namedIn(root: unknown, bad: readonly BadNumeral[]): Fault[] {
  const byHolder = Map.groupBy(bad, ({ holder }) => holder)
  const faults = [...membersOf(root)].flatMap(({ path, holder, name }): Fault[] =>
    (byHolder.get(holder) ?? [])
      .filter((one) => one.name === name)
      .map(({ message }) => ({ path, message })),
  )
  // The holder of a body that is a number itself is not part of the body.
  const [whole] = bad
  return faults.length > 0 || !whole ? faults : [{ path: '', message: whole.message }]
}

type Member = { path: string; holder: unknown; name: string; value: unknown }

/** Everything in a body with its path; the body itself has the path ''. */
function* membersOf(root: unknown): Generator<Member> {
  const waiting: Member[] = [{ path: '', holder: undefined, name: '', value: root }]
  for (let visited = 0; waiting.length > 0 && visited <= VALUES_LIMIT; visited++) {
    const member = waiting.pop() as Member
    yield member
    const { path, value } = member
    if (value === null || typeof value !== 'object') continue
    for (const [name, inner] of Object.entries(value)) {
      const under = path ? `${path}.${name}` : name || NO_NAME
      waiting.push({ path: under, holder: value, name, value: inner })
    }
  }
}

const uncleanIn = (root: unknown): Fault[] =>
  [...membersOf(root)].flatMap(({ path, value }) => {
    const message = faultOfValue(value)
    return message === undefined ? [] : [{ path, message }]
  })

function faultOfValue(value: unknown): string | undefined {
  if (typeof value === 'string' && !isCleanText(value)) {
    return 'must not contain U+0000 or a lone surrogate'
  }
  return typeof value === 'number' && !Number.isFinite(value) ? 'is out of range' : undefined
}

/** False if a value is at fault. Throws BadBody for sizes and for names of members. */
function checkValues(root: unknown): boolean {
  const waiting: unknown[] = [root]
  let isClean = true
  for (let visited = 0; waiting.length > 0; visited++) {
    if (visited > VALUES_LIMIT) throw new BadBody(`The body has more than ${VALUES_LIMIT} values`)
    const value = waiting.pop()
    if (Array.isArray(value)) {
      if (value.length > VALUES_LIMIT) throw new BadBody('The body has too many values')
      waiting.push(...value)
    } else if (value !== null && typeof value === 'object') pushMembers(value, waiting)
    else if (faultOfValue(value) !== undefined) isClean = false
  }
  return isClean
}

function pushMembers(value: object, waiting: unknown[]): void {
  const members = Object.entries(value)
  if (members.length > VALUES_LIMIT) throw new BadBody('The body has too many members')
  for (const [name, member] of members) {
    if (name === '__proto__') throw new BadBody('A member may not be named __proto__')
    if (!isCleanText(name)) throw new BadBody('A name holds U+0000 or a lone surrogate')
    waiting.push(member)
  }
}
