/** Content-Disposition (RFC 6266): the name of a file for a browser, with any characters (D-371). */

import disposition from 'content-disposition'

/** Characters that could break a token, a quoted string or a header line of an old client. */
const UNSAFE = /[^\x20-\x7e]|["\\%;/]/g

/**
 * `filename` has a plain form for old clients, `filename*` the name itself (RFC 8187) if the two
 * differ. `name` has no folders.
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  return disposition(name.toWellFormed(), { type, fallback: name.replace(UNSAFE, '_') })
}
