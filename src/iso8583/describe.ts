/**
 * One line for people, the only way a message may reach a log. What is shown stands in the field
 * table; whatever the table does not call clear is told by its size alone. Elements of DE48 are
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

/** Fewer digits than this are not shown at all: first six and last four would tell too much. */
const LEAST_MASKED = 13
const FIRST = 6
const LAST = 4

const show: Record<Shown, (value: string, message: Message) => string> = {
  clear: (value, message) => quoted(withoutPan(value, message)),
  pan: maskedPan,
  elements: shownElements,
  hidden: (value) => `(${value.length})`,
}

/** MTI, then `number=value` for each field; a hidden value is its length in parentheses. */
export function describe(message: Message): string {
  const said = [quoted(message.mti)]
  for (const [number, value] of Object.entries(message.fields)) {
    const de = Number(number)
    if (value !== undefined) said.push(`${de}=${show[shownOf.get(de) ?? 'hidden'](value, message)}`)
  }
  return said.join(' ')
}

/** Why a message was refused, and what could be read of it. */
export function describeFault({ reason, de, at, read }: Fault): string {
  const place = de === null ? `byte ${at}` : `DE${de}, byte ${at}`
  return `${reason} at ${place}${read === null ? '' : ` of ${describe(read)}`}`
}

/** First six and last four digits. */
export function maskedPan(pan: string): string {
  if (pan.length < LEAST_MASKED || !/^\d+$/.test(pan)) return '*'.repeat(Math.min(pan.length, 19))
  return pan.slice(0, FIRST) + '*'.repeat(pan.length - FIRST - LAST) + pan.slice(-LAST)
}

/** A card number that a peer also put where it does not belong is masked there too. */
function withoutPan(value: string, { fields }: Message): string {
  const track2 = fields[35]?.split(/[=D]/, 1)[0]
  let clean = value
  for (const pan of [fields[2], track2]) {
    if (pan !== undefined && pan.length >= LEAST_MASKED) {
      clean = clean.replaceAll(pan, maskedPan(pan))
    }
  }
  return clean
}

/** Plain words stay; the rest is quoted, without a character that could begin a line. */
function quoted(value: string): string {
  if (/^[\w*.-]+$/.test(value)) return value
  return `"${value.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}

function shownElements(value: string, message: Message): string {
  const parsed = parseElements(value)
  if (!parsed.ok) return `(${value.length})`
  const said = [...parsed.elements].map(([id, element]) => {
    const clear = clearElements.has(id)
    return `${id}:${clear ? quoted(withoutPan(element, message)) : `(${element.length})`}`
  })
  return `[${said.join(' ')}]`
}
