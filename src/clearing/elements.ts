/** The data elements of a clearing record, as a table (docs/clearing.md). */

export type Element = {
  /** Decimal digits, text in any characters of the set, or bytes, which are upper-case hex. */
  type: 'n' | 'text' | 'b'
  /** Digits of the length in front; 0 is an element of one length. */
  prefix: 0 | 2 | 3
  /** The shortest and the longest value, in characters or bytes. */
  min: number
  max: number
}

type Of = (length: number) => Element
const n: Of = (length) => ({ type: 'n', prefix: 0, min: length, max: length })
const an: Of = (length) => ({ type: 'text', prefix: 0, min: length, max: length })
const upTo =
  (type: Element['type'], prefix: 2 | 3): Of =>
  (max) => ({ type, prefix, min: 0, max })
const [nLL, ansLL, ansLLL, bLLL] = [upTo('n', 2), upTo('text', 2), upTo('text', 3), upTo('b', 3)]

/** Private subelements stand in these, and go on from one to the next. */
export const SUBELEMENT_HOLDERS = [48, 62, 123, 124, 125] as const

const rows: readonly (readonly [numbers: readonly number[], element: Element])[] = [
  [[2], nLL(19)],
  [[3], n(6)],
  [[4, 5, 6], n(12)],
  [[9, 10], n(8)],
  [[12], n(12)],
  [[14], n(4)],
  [[22], an(12)],
  [[23, 24], n(3)],
  [[25, 26], n(4)],
  [[30], n(24)],
  [[31], nLL(23)],
  [[32, 33], nLL(11)],
  [[37], an(12)],
  [[38], an(6)],
  [[40], n(3)],
  [[41], an(8)],
  [[42], an(15)],
  [[43], ansLL(99)],
  [SUBELEMENT_HOLDERS, ansLLL(999)],
  [[49, 50, 51], n(3)],
  [[54], ansLLL(120)],
  [[55], bLLL(255)],
  [[63], ansLLL(16)],
  [[71], n(8)],
  [[72], ansLLL(999)],
  [[73], n(6)],
  [[93, 94], nLL(11)],
  [[95], ansLL(10)],
  [[100], nLL(11)],
  [[105, 111, 127], ansLLL(999)],
]

/** The form of each element by its number; undefined is one that no record may have. */
export const elements: readonly (Element | undefined)[] = (() => {
  const table: (Element | undefined)[] = Array.from({ length: 129 })
  for (const [numbers, element] of rows) for (const number of numbers) table[number] = element
  return table
})()

export const MTI_LENGTH = 4
export const BITMAP_BYTES = 16

/** A record that has every element in its longest form. */
export const LONGEST_RECORD = elements.reduce(
  (sum, element) => sum + (element === undefined ? 0 : element.prefix + element.max),
  MTI_LENGTH + BITMAP_BYTES,
)

/** The fault of a value of an element, or undefined. Values of bytes are hex. */
export function faultOf(number: number, element: Element, value: string): string | undefined {
  const { type, min, max } = element
  const length = type === 'b' ? value.length / 2 : value.length
  if (type === 'n' && !/^[0-9]*$/.test(value)) return `DE${number} has a character that is no digit`
  if (type === 'b' && !/^([0-9A-F]{2})*$/.test(value)) return `DE${number} is no upper-case hex`
  if (length >= min && length <= max) return undefined
  const unit = type === 'b' ? 'bytes' : 'characters'
  const wanted = min === max ? `${max} are wanted` : `at most ${max} are allowed`
  return `DE${number} has ${length} ${unit}: ${wanted}`
}
