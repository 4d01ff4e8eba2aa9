/**
 * A message as it may be kept and shown, field by field. Clear values are named, here and in the
 * field table; everything else is stars of its length. Sensitive values leave nothing else behind.
 */

import { parseTlv, valuesByTag } from '#emv/tlv.ts'
import { isLuhn } from '#lib/luhn.ts'
import { parseAdditionalAmounts } from './amounts.ts'
import { maskedPan, pansOf, withoutPan } from './describe.ts'
import { fieldTable } from './fields.ts'
import type { Message } from './message.ts'
import { elementIds, parseElements } from './tlv48.ts'

/**
 * Number, value, 1 if the value is masked, and its parts if they cannot be read from the value any
 * more. Short, since there are many of them. The number of a part is its element or tag.
 */
export type MaskedField = readonly [
  number: string,
  value: string,
  masked?: 0 | 1,
  parts?: readonly MaskedField[],
]

/** Stars say how long a value is, up to this length. */
const STARS_MAX = 40

const stars = (length: number): string => '*'.repeat(Math.min(length, STARS_MAX))

const hidden = (number: string, value: string): MaskedField => [number, stars(value.length), 1]

type Show = (number: string, value: string, pans: readonly string[]) => MaskedField

/**
 * The fields kept of a message that was not understood: the start of the other fields is a guess.
 */
const OUTLINE: ReadonlySet<number> = new Set([11, 39])

/** `whole`: the message was read to its end, and its fields are where they should be. */
export function maskedFields(message: Message, whole: boolean): MaskedField[] {
  const pans = pansOf(message)
  const fields: MaskedField[] = []
  for (const number of Object.keys(message.fields)) {
    const de = Number(number)
    const value = message.fields[de]
    if (value === undefined) continue
    const show = whole || OUTLINE.has(de) ? (showing.get(de) ?? hidden) : hidden
    fields.push(show(number, value, pans))
  }
  return fields
}

/** Shorter values cannot contain a card number. */
const LEAST_PAN = 13

const clear: Show = (number, value, pans) => {
  const printable = value.replaceAll(/[^ -~]/g, '?')
  if (value.length < LEAST_PAN) return [number, printable]
  const clean = withoutPan(printable, pans)
  return clean === printable ? [number, clean] : [number, clean, 1]
}

/** Free text may contain any card number, not only that of the message. */
const text: Show = (number, value, pans) => {
  const [, shown, masked] = clear(number, value, pans)
  const clean = shown.replaceAll(/\d(?:[ -]?\d){12,18}/g, (run) => {
    const digits = run.replaceAll(/\D/g, '')
    if (!isLuhn(digits)) return run
    return digits === run ? maskedPan(run) : stars(run.length)
  })
  return masked || clean !== shown ? [number, clean, 1] : [number, clean]
}

const pan: Show = (number, value) => [number, maskedPan(value), 1]

/** Card number and separator; expiry date, service code and verification value are hidden. */
const track2: Show = (number, value) => {
  const [own = ''] = value.split(/[=D]/, 1)
  return [number, `${maskedPan(own)}=${stars(value.length - own.length - 1)}`, 1]
}

/** The format of the PIN block; the rest names keys. */
const pinFormat: Show = (number, value) => [number, value.slice(0, 2) + stars(value.length - 2), 1]

const balances: Show = (number, value) =>
  parseAdditionalAmounts(value) ? [number, value] : hidden(number, value)

/** Elements of DE48 that are shown, with the most characters that they may have. */
const CLEAR_ELEMENTS: ReadonlyMap<string, number> = new Map([
  [elementIds.three_ds_level, 7],
  [elementIds.partial_approval, 1],
  [elementIds.cvv2_result, 1],
])

const elements: Show = (number, value) => {
  const parsed = parseElements(value)
  if (!parsed.ok) return hidden(number, value)
  const parts = [...parsed.elements].map(([id, element]): MaskedField => {
    const most = CLEAR_ELEMENTS.get(id) ?? 0
    return element.length <= most ? clear(id, element, []) : hidden(id, element)
  })
  return withParts(number, value, parts)
}

/**
 * Tags of EMV that say how the card was used, none of which names the card or its holder; with the
 * most bytes that they may have.
 */
const CLEAR_TAGS: ReadonlyMap<string, number> = new Map([
  ...(['82', '5F2A', '9F09', '9F1A', '9F36', '8A'] as const).map((tag) => [tag, 2] as const),
  ...(['95', '9F1E'] as const).map((tag) => [tag, 8] as const),
  ...(['9A', '9F33', '9F34'] as const).map((tag) => [tag, 3] as const),
  ...(['9C', '5F34', '9F27', '9F35'] as const).map((tag) => [tag, 1] as const),
  ...(['9F02', '9F03'] as const).map((tag) => [tag, 6] as const),
  ...(['9F26', '9F37', '9F41'] as const).map((tag) => [tag, 8] as const),
  ...(['84', '9F06', '91'] as const).map((tag) => [tag, 16] as const),
  ['9F10', 32],
])

const chip: Show = (number, value, pans) => {
  const parsed = parseTlv(Buffer.from(value, 'hex'))
  if (!parsed.ok) return hidden(number, value)
  const parts = [...valuesByTag(parsed.items)].map(([tag, bytes]): MaskedField => {
    const hex = bytes.toString('hex').toUpperCase()
    const most = CLEAR_TAGS.get(tag) ?? 0
    return bytes.length > most || namesCard(hex, pans) ? hidden(tag, hex) : [tag, hex]
  })
  return withParts(number, value, parts)
}

/** As digits of BCD, or as characters. */
const namesCard = (hex: string, pans: readonly string[]): boolean =>
  pans.some((one) => hex.includes(one) || hex.includes(Buffer.from(one).toString('hex')))

/** With a part that is hidden the value is hidden as a whole. */
function withParts(number: string, value: string, parts: readonly MaskedField[]): MaskedField {
  const masked = parts.some(([, , one]) => one === 1)
  return [number, masked ? stars(value.length) : value, masked ? 1 : 0, parts]
}

/** Fields in which a peer may write what it likes. */
const FREE_TEXT = [43, 44, 60, 61]

const showing: ReadonlyMap<number, Show> = new Map<number, Show>([
  ...fieldTable.filter(({ shown }) => shown === 'clear').map(({ de }) => [de, clear] as const),
  ...FREE_TEXT.map((de) => [de, text] as const),
  [2, pan],
  [35, track2],
  [48, elements],
  [53, pinFormat],
  [54, balances],
  [55, chip],
])
