/**
 * One line for people, the only form in which a message may be logged. The field table states how
 * each field is shown; only the size of a field that is not clear is logged. Elements of DE48 are
 * hidden unless named here.
 */

import { fieldTable, type Shown } from './fields.ts'
import type { Fault, Message } from './message.ts'
import { elementIds, parseElements } from './tlv48.ts'

const shownOf = new Map(fieldTable.map(({ de, shown }) => [de, shown]))

const clearElements = new Set<string>([
  elementIds.three_ds_level,
  elementIds.partial_approval,
  elementIds.cvv2_result,
])

/** Fewer digits than this are not shown: the first six and last four would reveal too much. */
const LEAST_MASKED = 13
const FIRST = 6
const LAST = 4

const show: Record<Shown, (value: string, pans: readonly string[]) => string> = {
  clear: (value, pans) => quoted(withoutPan(value, pans)),
  pan: maskedPan,
  elements: shownElements,
  hidden: (value) => `(${value.length})`,
}

/** MTI, then `number=value` for each field; a hidden value is its length in parentheses. */
export function describe(message: Message): string {
  const pans = pansOf(message)
  let line = quoted(message.mti)
  for (const number of Object.keys(message.fields)) {
    const de = Number(number)
    const value = message.fields[de]
    if (value === undefined) continue
    line += ` ${de}=${show[shownOf.get(de) ?? 'hidden'](value, pans)}`
  }
  return line
}

/** Why a message was rejected, and the part of it that could be read. */
export function describeFault({ reason, de, at, read }: Fault): string {
  const place = de === null ? `byte ${at}` : `DE${de}, byte ${at}`
  return `${reason} at ${place}${read === null ? '' : ` of ${describe(read)}`}`
}

/** First six and last four digits. */
export function maskedPan(pan: string): string {
  if (pan.length < LEAST_MASKED || !/^\d+$/.test(pan)) return '*'.repeat(Math.min(pan.length, 19))
  return pan.slice(0, FIRST) + '*'.repeat(pan.length - FIRST - LAST) + pan.slice(-LAST)
}

/** The card numbers that the message names where they belong. */
export function pansOf({ fields }: Message): string[] {
  const pan = fields[2] ?? ''
  const track2 = fields[35]?.split(/[=D]/, 1)[0] ?? ''
  const pans = pan === track2 ? [pan] : [pan, track2]
  return pans.filter(({ length }) => length >= LEAST_MASKED)
}

/** A card number that a peer also put where it does not belong is masked there too. */
export function withoutPan(value: string, pans: readonly string[]): string {
  if (value.length < LEAST_MASKED) return value
  return pans.reduce((clean, pan) => clean.replaceAll(pan, maskedPan(pan)), value)
}

/** Plain words stay; the rest is quoted, without a character that could begin a line. */
function quoted(value: string): string {
  if (/^[\w*.-]+$/.test(value)) return value
  return `"${value.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}

function shownElements(value: string, pans: readonly string[]): string {
  const parsed = parseElements(value)
  if (!parsed.ok) return `(${value.length})`
  const elements = [...parsed.elements].map(([id, element]) => {
    const clear = clearElements.has(id)
    return `${id}:${clear ? quoted(withoutPan(element, pans)) : `(${element.length})`}`
  })
  return `[${elements.join(' ')}]`
}
