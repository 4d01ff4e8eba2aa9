/** Tables that fit the terminal. */

import stringWidth from 'string-width'
import { styled } from './print.ts'
import { visible } from './text.ts'

export type Column<Row> = {
  title: string
  value: (row: Row) => string | undefined
  /** Amounts. */
  right?: boolean
  /** Columns with the highest number are left out first where the terminal is too narrow. */
  rank: number
  /** The least columns of the terminal that it keeps; undefined if it is never cut. */
  least?: number
  /** The least width of the terminal at which it is never cut. */
  wholeFrom?: number
  style?: (row: Row) => 'green' | 'red' | 'yellow' | 'dim'
}

const GAP = 2
const segments = new Intl.Segmenter()

/** The lines of a table, no wider than `width` columns; undefined cuts nothing. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => visible(value(row) ?? '')))
  const natural = columns.map(({ title }, at) =>
    Math.max(stringWidth(title), ...cells.map((line) => stringWidth(line[at] ?? ''))),
  )
  const widths = fit(columns, natural, width)
  const shown = columns.flatMap((column, at) => {
    const own = widths[at]
    return own === undefined ? [] : [{ column, at, own }]
  })
  const lineOf = (texts: readonly string[], row?: Row) =>
    shown
      .map(({ column, at, own }, index) => {
        const text = cut(texts[at] ?? '', own)
        const isLast = index === shown.length - 1 && !column.right
        const padded = isLast ? text : pad(text, own, column.right)
        const style = row === undefined ? undefined : column.style?.(row)
        return style ? styled(style, padded) : padded
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const head = lineOf(columns.map(({ title }) => title))
  return [styled('bold', head), ...rows.map((row, at) => lineOf(cells[at] ?? [], row))]
}

/** The width of each column; undefined for one that is left out. */
function fit<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  width = Number.POSITIVE_INFINITY,
): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural]
  const excess = () => {
    const kept = widths.filter((own) => own !== undefined)
    return kept.reduce((sum, own) => sum + own + GAP, -GAP) - width
  }
  const leastOf = (at: number) => {
    const [own = 0, { least = own, wholeFrom } = {}] = [natural[at], columns[at]]
    return wholeFrom !== undefined && width >= wholeFrom ? own : Math.min(least, own)
  }
  const ranked = columns.map((_, at) => at).sort((a, b) => rankOf(b) - rankOf(a))
  function rankOf(at: number): number {
    return columns[at]?.rank ?? 0
  }
  const canFit = () => {
    const kept = ranked.filter((at) => widths[at] !== undefined)
    return kept.reduce((sum, at) => sum + leastOf(at) + GAP, -GAP) <= width
  }
  for (const at of ranked) {
    if (canFit() || rankOf(at) === 0) break
    widths[at] = undefined
  }
  // The widest that may be cut gives one column at a time.
  while (excess() > 0) {
    const [widest] = ranked
      .filter((at) => (widths[at] ?? 0) > leastOf(at))
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function pad(text: string, width: number, right = false): string {
  const spaces = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? spaces + text : text + spaces
}

/** Cut in its middle: begin and end of an id or a name say most. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  if (width < 1) return ''
  const parts = [...segments.segment(text)].map(({ segment }) => segment)
  const room = width - 1
  const head = taken(parts, Math.ceil(room / 2))
  const tail = taken(parts.toReversed(), room - stringWidth(head.join(''))).toReversed()
  return `${head.join('')}…${tail.join('')}`
}

/** The first characters, as many as have room; no wide one is halved. */
function taken(parts: readonly string[], width: number): string[] {
  const found: string[] = []
  let used = 0
  for (const part of parts) {
    used += stringWidth(part)
    if (used > width) break
    found.push(part)
  }
  return found
}
