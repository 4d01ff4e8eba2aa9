/**
 * The fields that a client sent for a user, checked one by one and converted to their stored form
 * (D-16, D-17).
 */

import { toAlpha3 } from '#lib/country.ts'
import { toE164 } from '#lib/phone.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { isBlank, withoutSurround } from '#lib/surround.ts'
import {
  belongsTo,
  type Contents,
  type FieldName,
  fieldNames,
  fields,
  type Kind,
  listNames,
  lockedFields,
  required,
  type Scalar,
  type UserType,
} from './fields.ts'
import { faultsUnderVerification } from './verifiable.ts'

type Members = Record<string, unknown>

const MONEY = /^(0|[1-9]\d*)(\.\d{1,4})?$/
/** A double represents so many digits exactly (D-6). */
const MONEY_DIGITS_MAX = 15

type ReadResult = { value: unknown } | { fault: string }

/** How each kind of text is read; the other kinds are stored as sent. */
const readers: Partial<Record<Scalar, (value: string) => ReadResult>> = {
  word: (text) => ({ value: text.toUpperCase() }),
  // The date counts as written; the time and offset after it have no effect (D-7).
  date: (text) => ({ value: text.slice(0, 10) }),
  date_or_empty: (text) => ({ value: text.slice(0, 10) }),
  email: (text) => ({ value: withoutSurround(text) }),
  phone: (text) => found(toE164(text), 'is not an international phone number'),
  country: (text) => found(toAlpha3(text), 'is not an ISO 3166-1 country'),
  nations: (text) => ({ value: text.split(',').map(nation).join(',') }),
  money: readMoney,
}

function found(value: string | undefined, fault: string): ReadResult {
  return value === undefined ? { fault } : { value }
}

/** A country code becomes alpha-3; any other text stays as it is. */
function nation(text: string): string {
  return /^\s*[A-Za-z]{2,3}\s*$/.test(text) ? (toAlpha3(text.trim()) ?? text) : text
}

function readMoney(text: string): ReadResult {
  const digits = text.replace('.', '').replace(/^0+/, '').length
  if (!MONEY.test(text)) return { fault: 'must be a decimal number with up to four decimals' }
  if (digits > MONEY_DIGITS_MAX) return { fault: `has more than ${MONEY_DIGITS_MAX} digits` }
  return { value: text }
}

function readScalar(kind: Scalar, value: unknown): ReadResult {
  const reader = readers[kind]
  return reader && value !== null ? reader(String(value)) : { value: value }
}

function readField(kind: Kind, path: string, value: unknown, faults: Fault[]): unknown {
  if (typeof kind === 'string') {
    const reading = readScalar(kind, value)
    if ('value' in reading) return reading.value
    faults.push({ path, message: reading.fault })
    return undefined
  }
  if (value === null || typeof value !== 'object') return value
  const read: Members = {}
  for (const [member, content] of Object.entries(value)) {
    const memberKind = kind[member]
    if (memberKind) read[member] = readField(memberKind, `${path}.${member}`, content, faults)
  }
  return read
}

export type FieldChange = {
  /** Fields of the user before the change; empty for a new user. */
  present: Contents
  sent: Readonly<Record<string, unknown>>
  /** YYYY-MM-DD. */
  today: string
  /** The tenant has identity verification enabled. */
  verified: boolean
}

/**
 * Reads the fields sent for a user of this type and merges them into the present ones: phones to
 * E.164, countries to alpha-3, dates to YYYY-MM-DD, words to upper case, money to decimal text.
 * Reports the first fault of each field: its format, a field of another type, a missing required
 * field, and the rules of identity verification. Returns the fields that were sent.
 */
export function checkContents(
  type: UserType,
  { present, sent, today, verified }: FieldChange,
): Result<Contents, 'validation_failed'> {
  const faults: Fault[] = []
  const contents = merge(present, readFields(type, sent, faults))
  if (String(contents.date_of_birth ?? '') > today) {
    faults.push({ path: 'date_of_birth', message: 'must not be in the future' })
  }
  faults.push(...missingFields(type, { ...present, ...contents }))
  if (verified) faults.push(...faultsUnderVerification(type, present, contents))
  const errors = faults.filter(
    ({ path }, at) => faults.findIndex((fault) => fault.path === path) === at,
  )
  return errors.length > 0 ? fail('validation_failed', { errors }) : ok(contents)
}

function readFields(type: UserType, sent: FieldChange['sent'], faults: Fault[]): Contents {
  const contents: Contents = {}
  for (const name of fieldNames) {
    const value = sent[name]
    if (value === undefined) continue
    if (belongsTo(type, name)) contents[name] = readField(fields[name], name, value, faults)
    else faults.push(ofType(name, `does not belong to a user of type ${type}`))
  }
  for (const name of listNames) {
    if (type === 'BUSINESS' || !Array.isArray(sent[name]) || sent[name].length === 0) continue
    faults.push(ofType(name, `must be empty for a user of type ${type}`))
  }
  return contents
}

const ofType = (path: string, message: string): Fault => ({
  path,
  message,
  rests_on: ['user_type'],
})

/** A field that is required can neither be cleared nor be blank. */
function missingFields(type: UserType, user: Contents): Fault[] {
  return required[type]
    .filter((name) => isBlank(String(user[name] ?? '')))
    .map((path) => ofType(path, 'is required'))
}

/** Objects merge member by member (D-104). */
function merge(present: Contents, sent: Contents): Contents {
  const merged: Contents = {}
  for (const name of fieldNames) {
    const value = sent[name]
    if (value === undefined) continue
    merged[name] = isObject(value) ? mergeObject(present[name], value) : value
  }
  return merged
}

function mergeObject(present: unknown, value: Members): Members | null {
  const members = { ...(isObject(present) ? present : {}), ...value }
  const entries = Object.entries(members).filter(([, member]) => member !== null)
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

/** The locked fields that would get another value (D-21). */
export function changedLockedFields(present: Contents, next: Contents): FieldName[] {
  return lockedFields.filter(
    (name) => next[name] !== undefined && (next[name] ?? null) !== (present[name] ?? null),
  )
}
