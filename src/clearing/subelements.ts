/** Private data subelements (PDS): a tag of four digits, a length of three, and the value. */

import { SUBELEMENT_HOLDERS } from './elements.ts'

const TAG = 4
const LENGTH = 3
const HEAD = TAG + LENGTH
const HOLDER_CHARACTERS = 999
const LONGEST = HOLDER_CHARACTERS - HEAD

export type Holders = readonly { number: number; text: string }[]
export type Misread = { at: number; reason: string }

/**
 * The subelements of the elements that hold them, in their order: one may go on from one element to
 * the next. `at` of a fault counts the characters of all of them.
 */
export function readSubelements(holders: Holders): Map<string, string> | Misread {
  const text = holders.map((one) => one.text).join('')
  const found = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const head = text.slice(at, at + HEAD)
    if (!/^[0-9]{7}$/.test(head)) {
      return { at, reason: 'no subelement begins here: four digits of a tag and three of a length' }
    }
    const tag = head.slice(0, TAG)
    const end = at + HEAD + Number(head.slice(TAG))
    if (end > text.length) {
      return { at, reason: `PDS${tag} is longer than the elements that hold it` }
    }
    if (found.has(tag)) return { at, reason: `PDS${tag} is there twice` }
    found.set(tag, text.slice(at + HEAD, end))
    at = end
  }
  return found
}

/** The elements that hold the subelements, which are in the order of their tags, each in one. */
export function writeSubelements(subelements: ReadonlyMap<string, string>): Holders | Misread {
  const texts = ['']
  for (const [tag, value] of [...subelements].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (value.length > LONGEST) {
      return { at: 0, reason: `PDS${tag} has ${value.length} characters: at most ${LONGEST}` }
    }
    const whole = `${tag}${String(value.length).padStart(LENGTH, '0')}${value}`
    const last = texts.length - 1
    if ((texts[last] ?? '').length + whole.length > HOLDER_CHARACTERS) texts.push(whole)
    else texts[last] += whole
  }
  const filled = texts.filter((text) => text !== '')
  if (filled.length > SUBELEMENT_HOLDERS.length) {
    return { at: 0, reason: 'the subelements are longer than DE48, 62 and 123 to 125 together' }
  }
  return filled.map((text, index) => ({ number: SUBELEMENT_HOLDERS[index] ?? 0, text }))
}
