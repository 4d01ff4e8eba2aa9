/** The field table and a dialect, combined once at start for the codec. */

import { type BitmapForm, hexBitmap, rawBitmap } from './bitmap.ts'
import { ALPHANUMERIC, ANY, DIGIT, type Page, PRINTABLE, pages } from './code_pages.ts'
import { type Dialect, type DialectName, dialects } from './dialects.ts'
import { type Field, type FieldType, fieldTable } from './fields.ts'
import {
  blankFilled,
  characters,
  type Form,
  hexCharacters,
  type LengthForm,
  lengthInCharacters,
  lengthPacked,
  packedDigits,
  packedTrack,
  raw,
  signed,
  track,
} from './forms.ts'

export type FieldLayout = {
  form: Form
  /** Null when the length is fixed; then `least` and `most` are that length. */
  length: LengthForm | null
  least: number
  most: number
}

export type Layout = {
  page: Page
  mti: Form
  bitmap: BitmapForm
  /** Characters of any kind, for a text that is taken as it comes. */
  text: Form
  /** By DE number; an absent number is not a field. */
  fields: readonly (FieldLayout | undefined)[]
}

function formsOf(dialect: Dialect, page: Page): Record<FieldType, Form> {
  const digits = { characters: characters(page, DIGIT), packed: packedDigits() }[dialect.digits]
  return {
    n: digits,
    an: blankFilled(page, ALPHANUMERIC),
    ans: characters(page, PRINTABLE),
    z: { characters: track(page), packed: packedTrack() }[dialect.track],
    b: { hex: hexCharacters(page), raw: raw() }[dialect.binary],
    'x+n': signed(page, digits),
  }
}

function lengthsOf(
  dialect: Dialect,
  page: Page,
): Record<Field['length_prefix'], LengthForm | null> {
  const length = {
    characters: (digits: number) => lengthInCharacters(page, digits),
    packed: lengthPacked,
  }[dialect.lengths]
  return { fixed: null, LL: length(2), LLL: length(3) }
}

/** A number or a track that is there has a digit; a text that is there may be empty. */
const leastOf: Record<FieldType, number> = { n: 1, z: 1, an: 0, ans: 0, b: 0, 'x+n': 1 }

function layoutOf(dialect: Dialect): Layout {
  const page = pages[dialect.page]
  const forms = formsOf(dialect, page)
  const lengths = lengthsOf(dialect, page)
  const bitmap = { hex: hexBitmap(page), raw: rawBitmap() }[dialect.bitmap]
  const fields: (FieldLayout | undefined)[] = Array(129).fill(undefined)
  for (const { de, type, max, length_prefix } of fieldTable) {
    const form = forms[type]
    // The table counts bytes of b fields; the form knows what its length on the wire counts.
    const most = type === 'b' ? form.countOf('00'.repeat(max)) : max
    const length = lengths[length_prefix]
    fields[de] = { form, length, least: length === null ? most : leastOf[type], most }
  }
  return { page, mti: forms.n, bitmap, text: characters(page, ANY), fields }
}

export const layouts: Record<DialectName, Layout> = {
  ascii: layoutOf(dialects.ascii),
  bcd: layoutOf(dialects.bcd),
  ascii_binary_bitmap: layoutOf(dialects.ascii_binary_bitmap),
  ebcdic: layoutOf(dialects.ebcdic),
}
