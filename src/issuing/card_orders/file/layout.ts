/** The form of a file of orders: its columns, and how they are written as bytes (D-1021). */

import { type Static, Type } from 'typebox'
import { createAjv, OneOf, Strict } from '#kit/http/schema.ts'
import { toLatin } from '#lib/letters/latin.ts'
import { answerColumns, recordFields } from './fields.ts'

const COLUMNS_MAX = 100
const WIDTH_MAX = 1_000

const Column = Strict({
  field: Type.Optional(Type.String({ maxLength: 40 })),
  text: Type.Optional(Type.String({ maxLength: WIDTH_MAX })),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: WIDTH_MAX })),
  align: Type.Optional(OneOf(['left', 'right'])),
  fill: Type.Optional(Type.String({ pattern: '^[ -~]$' })),
})
export type Column = Static<typeof Column>

const Columns = Type.Array(Column, { minItems: 1, maxItems: COLUMNS_MAX })
const form = {
  form: OneOf(['SEPARATED', 'FIXED']),
  separator: Type.Optional(Type.String({ pattern: '^[^"\\r\\n]$' })),
  character_set: Type.Optional(OneOf(['UTF-8', 'ISO-8859-1', 'US-ASCII'])),
}

const AnswerLayout = Strict({
  ...form,
  columns: Type.Array(
    Type.Union([
      OneOf(answerColumns),
      Strict({ field: OneOf(answerColumns), width: Type.Integer({ minimum: 1, maximum: 1_000 }) }),
      Strict({ blank: Type.Integer({ minimum: 1, maximum: 1_000 }) }),
    ]),
    { minItems: 1, maxItems: COLUMNS_MAX },
  ),
})
export type AnswerLayout = Static<typeof AnswerLayout>

const Layout = Strict({
  ...form,
  quotes: Type.Optional(Type.Boolean()),
  line_end: Type.Optional(OneOf(['LF', 'CRLF'])),
  header: Type.Optional(Columns),
  record: Columns,
  trailer: Type.Optional(Columns),
  answers: Type.Optional(AnswerLayout),
})
export type Layout = Static<typeof Layout>

const headerFields = ['format', 'batch', 'product', 'bureau', 'made_at', 'made_on', 'count']
const trailerFields = ['count', 'sha256']

const named = (fields: readonly string[]): Column[] => fields.map((field) => ({ field }))

/** The form without a layout file. */
export const CSV: Layout = {
  form: 'SEPARATED',
  header: [{ text: 'H' }, ...named(headerFields.filter((name) => name !== 'made_on'))],
  record: [{ text: 'R' }, ...named(recordFields.filter((name) => !name.endsWith('_embossed')))],
  trailer: [{ text: 'T' }, ...named(trailerFields)],
}

export const CSV_ANSWERS: AnswerLayout = { form: 'SEPARATED', columns: [...answerColumns] }

const isLayout = createAjv(false).compile(Layout)

/** The layout of a JSON text, or what is wrong with it. */
export function layoutOf(text: string): { layout: Layout } | { fault: string } {
  const layout = parsed(text)
  if (layout === undefined) return { fault: 'is no JSON' }
  if (!isLayout(layout)) {
    const [first] = isLayout.errors ?? []
    return { fault: `${first?.instancePath || 'the document'} ${first?.message ?? 'is wrong'}` }
  }
  // The compiled schema has checked it.
  const checked = layout as Layout
  const fault = faultOf(checked)
  return fault === undefined ? { layout: checked } : { fault }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf(layout: Layout): string | undefined {
  const parts = [
    ['header', layout.header ?? [], headerFields],
    ['record', layout.record, recordFields],
    ['trailer', layout.trailer ?? [], trailerFields],
  ] as const
  for (const [name, columns, fields] of parts) {
    for (const [at, { field, text, width }] of columns.entries()) {
      const place = `${name}[${at}]`
      if ((field === undefined) === (text === undefined)) {
        return `${place} needs either field or text`
      }
      if (field !== undefined && !fields.some((known) => known === field)) {
        return `${place} has a field that is none: ${field}`
      }
      if (layout.form === 'FIXED' && text === undefined && width === undefined) {
        return `${place} needs a width`
      }
    }
  }
  const answers = layout.answers
  if (answers?.form === 'FIXED' && answers.columns.some((column) => typeof column === 'string')) {
    return 'answers.columns need a width'
  }
  return undefined
}

/** The values of a line by the names of its fields. */
export type Values = Readonly<Record<string, string>>

/** Fields that are cut where they are too long; anything else that does not fit is a fault. */
const CUTTABLE = /^(?:name|second_line|ship_|return_|carrier|product|bureau)/

/** A value that the layout cannot take. The message has no value. */
export class LayoutFault extends Error {
  override name = 'LayoutFault'
}

/** One line with its end, in the character set of the layout. */
export function lineOf(layout: Layout, columns: readonly Column[], values: Values): Buffer {
  const cells = columns.map((column) => cellOf(layout, column, values))
  const separator = layout.form === 'FIXED' ? '' : (layout.separator ?? ',')
  const end = layout.line_end === 'CRLF' ? '\r\n' : '\n'
  return encoded(layout, cells.join(separator) + end)
}

function cellOf(layout: Layout, column: Column, values: Values): string {
  const { field = '', text } = column
  const value = legible(layout, text ?? values[field] ?? '')
  const whole = column.width === undefined ? value : fitted(column, column.width, value)
  return layout.form === 'FIXED' ? whole : separated(layout, whole)
}

function fitted({ field = 'text', align, fill = ' ' }: Column, width: number, value: string) {
  const characters = [...value]
  if (characters.length > width) {
    if (CUTTABLE.test(field)) return characters.slice(0, width).join('')
    throw new LayoutFault(`${field} has ${characters.length} characters and a width of ${width}`)
  }
  const rest = fill.repeat(width - characters.length)
  return align === 'right' ? rest + value : value + rest
}

function separated({ separator = ',', quotes = true }: Layout, value: string): string {
  if (!quotes) return value.replaceAll(separator, ' ')
  const needs = value.includes(separator) || value.includes('"')
  return needs ? `"${value.replaceAll('"', '""')}"` : value
}

/** On one line, in letters that the character set has. */
function legible({ character_set = 'UTF-8' }: Layout, text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  if (character_set === 'UTF-8') return plain
  const lacks = character_set === 'US-ASCII' ? /[^ -~]+/gu : /[^ -~\xa0-\xff]+/gu
  return plain.normalize('NFC').replace(lacks, (run) => toLatin(run))
}

const encoded = ({ character_set = 'UTF-8' }: Layout, line: string): Buffer =>
  Buffer.from(line, character_set === 'UTF-8' ? 'utf8' : 'latin1')
