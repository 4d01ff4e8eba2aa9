/**
 * Names on cards (D-1024). That of a physical card is embossed and written to track 1 of its
 * stripe, which has upper-case letters only (ISO/IEC 7813).
 */

import { toLatin } from '#lib/letters/latin.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import { isBlank, withoutSurround } from '#lib/surround.ts'
import type { CardType } from '../schema.ts'

const LENGTH_MAX = 100
const EMBOSSED_MAX = 26
/** The letters of ASCII alone: in upper case ß is two, and a dotless i another one. */
const EMBOSSED = /^[A-Za-z0-9 ./'-]{2,26}$/
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

type NameOfHolder = 'first_name' | 'last_name' | 'business_dba_name' | 'business_legal_name'
export type Names = { [Name in NameOfHolder]?: string | null | undefined }
type Checked = Result<string, 'validation_failed'>

const wrong = (message: string): Checked =>
  fail('validation_failed', { errors: [{ path: 'name_on_card', message }] })

/** The name that a client sends, as it is stored. It is embossed in upper case. */
export function checkName(sent: string, card_type: CardType): Checked {
  if (isBlank(sent)) return wrong('must not be blank')
  if (CONTROL.test(sent)) return wrong('must not contain control characters')
  const name = withoutSurround(sent)
  if (card_type === 'VIRTUAL') return ok(name)
  return fits(name)
    ? ok(name)
    : wrong("must be 2 to 26 letters of A to Z, digits, blanks, . / - and ' for a physical card")
}

/**
 * The name of a card for which none is sent: the one it had, otherwise that of its holder. For a
 * physical card the first that can be embossed; fails where none can.
 */
export function defaultName(
  kept: string | null,
  holder: Names | undefined,
  card_type: CardType,
): Result<string | null, 'validation_failed'> {
  const names = [kept, ...namesOf(holder)].filter((name) => name !== null && !isBlank(name))
  if (card_type === 'VIRTUAL') return ok(kept ?? names[0] ?? null)
  const name = names.map((each) => embossed(each ?? '')).find((each) => each !== undefined)
  return name === undefined ? wrong('is required: no name of the user can be embossed') : ok(name)
}

/** The name of the person, then the names under which the business is known. */
function namesOf(holder: Names | undefined): (string | null)[] {
  if (!holder) return []
  const { first_name, last_name, business_dba_name, business_legal_name } = holder
  const person = [first_name, last_name].filter(Boolean).join(' ')
  return [person, business_dba_name, business_legal_name].map((name) => {
    const clean = (name ?? '').replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    return withoutSurround([...clean].slice(0, LENGTH_MAX).join(''))
  })
}

/** Undefined for a text of which no two characters can be embossed. */
function embossed(text: string): string | undefined {
  const clean = withoutSurround(text)
  const name = fits(clean) ? clean : cut(transliterated(text))
  return fits(name) && /[A-Za-z0-9]/.test(name) ? name : undefined
}

const fits = (name: string) => EMBOSSED.test(name)

function transliterated(text: string): string {
  const plain = toLatin(text)
    .toUpperCase()
    .replace(/[^A-Z0-9 ./'-]/g, ' ')
    .replace(/(?<![A-Z])'|'(?![A-Z])/g, '')
  return plain.replace(/ +/g, ' ').trim()
}

/** Whole words, unless the first alone is too long. */
function cut(name: string): string {
  if (name.length <= EMBOSSED_MAX) return name
  const end = name.lastIndexOf(' ', EMBOSSED_MAX)
  return name.slice(0, end > 1 ? end : EMBOSSED_MAX)
}
