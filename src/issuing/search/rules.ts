/** The objects that a text may name (D-611). Pure. */

import { isId } from '#lib/id.ts'

/** Which searches a text is worth. */
export type Sought = {
  id?: string
  last_four?: string
  rrn?: string
  mobile?: string
  email?: string
  /** The name of a user, or part of the name of a product, limit or list. */
  name?: string
}

const LAST_FOUR = /^[0-9]{4}$/
/** DE37 has twelve letters and digits; the text has a digit, as references have. */
const RRN = /^(?=.*[0-9])[A-Za-z0-9]{6,12}$/
const MOBILE = /^\+?[0-9][0-9 ()-]{6,18}$/

export function soughtOf(q: string): Sought {
  // A NUL is in no text that the database stores.
  const text = q.replaceAll('\0', '').trim()
  if (text === '') return {}
  if (isId(text)) return { id: text.toLowerCase() }
  if (text.includes('@')) return { email: text }
  return {
    name: text,
    ...(LAST_FOUR.test(text) && { last_four: text }),
    ...(RRN.test(text) && { rrn: text }),
    ...(MOBILE.test(text) && { mobile: text }),
  }
}
