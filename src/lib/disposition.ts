/** Content-Disposition (RFC 6266): the name of a file for a browser, with any characters. */

/** Characters that could break a token, a quoted string or a header line. */
const UNSAFE = /[^\x20-\x7e]|["\\%;/]/g

/**
 * `filename` has a plain form for old clients, `filename*` the name itself (RFC 8187) where the
 * two differ.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(UNSAFE, '_')
  const quoted = `${kind}; filename="${plain}"`
  return plain === name ? quoted : `${quoted}; filename*=UTF-8''${encoded(name)}`
}

/** encodeURIComponent leaves ' ( ) * as they are, which RFC 8187 does not allow. */
function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
