/** Values and names in sentences. */

import { visible } from '../kit/text.ts'
import type { Value } from '../kit/values.ts'

/** Longer lists are described by what comes and goes. */
const LINE_LENGTH = 70
const SHOWN_MAX = 12

export function valueText(value: Value | undefined): string {
  if (value === undefined || value === null) return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(itemText).join(', ')
  return typeof value === 'object' ? itemText(value) : visible(String(value))
}

function itemText(value: Value): string {
  if (typeof value !== 'object' || value === null) return visible(String(value))
  const parts = Object.entries(value).map(([name, part]) => `${name} ${valueText(part)}`)
  return visible(`(${parts.join(', ')})`)
}

/** `from → to`; for long lists, how many entries they have and which are added and removed. */
export function changeText(from: Value | undefined, to: Value | undefined): string {
  const whole = `${valueText(from)} → ${valueText(to)}`
  if (!Array.isArray(from) || !Array.isArray(to) || whole.length <= LINE_LENGTH) return whole
  const [before, after] = [from.map(itemText), to.map(itemText)]
  const parts = [
    `${before.length} → ${after.length} entries`,
    ...someOf(
      'adds',
      after.filter((item) => !before.includes(item)),
    ),
    ...someOf(
      'removes',
      before.filter((item) => !after.includes(item)),
    ),
  ]
  return parts.join('; ')
}

function someOf(verb: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length - SHOWN_MAX
  const shown = items.slice(0, SHOWN_MAX).join(', ')
  return [`${verb} ${shown}${more > 0 ? ` and ${more} more` : ''}`]
}

export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
