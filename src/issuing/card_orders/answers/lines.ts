/** The lines of a file of answers (D-1023): the form is of the layout, CSV without one. */

import { isId } from '#lib/id.ts'
import type { AnswerColumn } from '../file/fields.ts'
import { type AnswerLayout, CSV_ANSWERS } from '../file/layout.ts'
import { type AnswerStatus, answerStatuses } from '../schema.ts'

export type BureauLine = {
  /** From 1 on. */
  line: number
  order_id: string
  status: AnswerStatus
  reason: string | null
  tracking: string | null
  carrier: string | null
  /** The day that the bureau names; null if it names none. */
  date: Date | null
}
export type LineFault = { line: number; message: string }

const TEXT_MAX = 100
/** Longer than any right line; one that is longer is not looked into. */
const LINE_MAX = 4_096
const DAY = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/
/** Stands for bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD'

/** Every line that has content, in its order: its content, or its fault. */
export function* linesOf(
  bytes: Buffer,
  layout: AnswerLayout = CSV_ANSWERS,
): Generator<BureauLine | LineFault> {
  const isUtf8 = layout.character_set === undefined || layout.character_set === 'UTF-8'
  const text = bytes.toString(isUtf8 ? 'utf8' : 'latin1').replace(/^\uFEFF/, '')
  let line = 0
  for (const content of contentsOf(text)) {
    line += 1
    if (content.trim() === '' || (line === 1 && isHeading(content))) continue
    if (content.length > LINE_MAX) {
      yield { line, message: `the line has more than ${LINE_MAX} characters` }
    } else if (isUtf8 && content.includes(REPLACEMENT)) {
      yield { line, message: 'the line is not UTF-8' }
    } else {
      const values = valuesOf(content, layout)
      yield typeof values === 'string' ? { line, message: values } : lineOf(line, values)
    }
  }
}

/** One line after the other: a file may have millions that are wrong. */
function* contentsOf(text: string): Generator<string> {
  const ends = /\r\n|\n|\r/g
  let from = 0
  for (let end = ends.exec(text); end; end = ends.exec(text)) {
    yield text.slice(from, end.index)
    from = ends.lastIndex
  }
  yield text.slice(from)
}

const isHeading = (content: string) => /^"?order_id\b/i.test(content)

type Values = Partial<Record<AnswerColumn, string>>

/** The values of a line, or why it has none. */
function valuesOf(content: string, layout: AnswerLayout): Values | string {
  const values: Values = {}
  const cells = layout.form === 'FIXED' ? undefined : cellsOf(content, layout.separator ?? ',')
  if (typeof cells === 'string') return cells
  const { columns } = layout
  if (cells?.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return `the line has ${cells.length} members of ${columns.length}`
  }
  let place = 0
  for (const [at, column] of columns.entries()) {
    if (typeof column === 'string') {
      values[column] = cells?.[at]?.trim() ?? ''
      continue
    }
    const width = 'blank' in column ? column.blank : column.width
    const value = cells?.[at] ?? content.slice(place, place + width)
    if ('field' in column) values[column.field] = value.trim()
    place += width
  }
  return values
}

/** Cells of RFC 4180 on one line. */
function cellsOf(content: string, separator: string): string[] | string {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at] ?? ''
    if (isQuoted && character === '"' && content[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return isQuoted ? 'a quotation mark is not closed' : [...cells, cell]
}

function lineOf(line: number, values: Values): BureauLine | LineFault {
  const { order_id = '', status = '', date } = values
  if (!isId(order_id)) return { line, message: 'the order id is none' }
  const known = answerStatuses.find((each) => each === status.toUpperCase())
  if (known === undefined)
    return { line, message: `the status is none of ${answerStatuses.join(', ')}` }
  if (date && !(DAY.test(date) && !Number.isNaN(Date.parse(date)))) {
    return { line, message: 'the date is none: YYYY-MM-DD' }
  }
  for (const name of ['reason', 'tracking', 'carrier'] as const) {
    const text = values[name] ?? ''
    if ([...text].length > TEXT_MAX || /\p{Cc}/u.test(text)) {
      return { line, message: `the ${name} has more than ${TEXT_MAX} or control characters` }
    }
  }
  return {
    line,
    order_id: order_id.toLowerCase(),
    status: known,
    reason: values.reason || null,
    tracking: values.tracking || null,
    carrier: values.carrier || null,
    date: date ? new Date(date) : null,
  }
}
