/** How users are found by name: at the beginning of any of their words. */

import { toE164 } from '#lib/phone.ts'
import { withoutSurround } from '#lib/surround.ts'

type Named = {
  first_name: string | null
  middle_name: string | null
  last_name: string | null
  native_name: string | null
  business_legal_name: string | null
  business_dba_name: string | null
}

/** A term begins at each of the first so many words of a name. */
const WORDS_MAX = 12
const TERM_LENGTH_MAX = 100
/** The most terms of the five names that are indexed. */
export const TERMS_MAX = 5 * WORDS_MAX

/** Lower case, NFKC, words separated by one space. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .join(' ')
    .slice(0, TERM_LENGTH_MAX)
}

/**
 * The search terms of a user: each name from each of its words to its end, so that `omar`,
 * `omar ali`, `ali has` and `hassan` all begin a term of Omar Ali Hassan. The name without its
 * middle name counts as well, and both names of a business.
 */
export function termsOf(user: Named): string[] {
  const { first_name, middle_name, last_name, native_name } = user
  const names = [
    [first_name, middle_name, last_name],
    [first_name, last_name],
    [native_name],
    [user.business_legal_name],
    [user.business_dba_name],
  ]
  const terms = names.flatMap((parts) => endings(parts.filter(Boolean).join(' ')))
  return [...new Set(terms)]
}

function endings(name: string): string[] {
  const words = foldName(name).split(' ').filter(Boolean)
  return words.slice(0, WORDS_MAX).map((_word, at) => words.slice(at).join(' '))
}

/** A number to search for: E.164 when it is one, else the text without spaces. */
export function foldMobile(text: string): string {
  return (
    toE164(text) ?? toE164(`+${withoutSurround(text)}`) ?? withoutSurround(text).replace(/\s/g, '')
  )
}
