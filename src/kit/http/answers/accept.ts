/** The content type that a client prefers (RFC 9110, section 12.5.1); no library (D-372). */

/** The quality of a type, and how exactly it was named: as itself, by its kind, by a wildcard. */
type Preference = { quality: number; exactness: number }

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Whether to answer `other` instead of `usual`. It must have a higher quality, or the same but
 * named more exactly: a wildcard and an unreadable header leave the usual type. No request is
 * rejected for its Accept header.
 */
export function prefers(accept: string | undefined, other: string, usual: string): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').flatMap(readRange)
  const [first, second] = [preferenceFor(other, ranges), preferenceFor(usual, ranges)]
  if (first.quality !== second.quality) return first.quality > second.quality
  return first.quality > 0 && first.exactness > second.exactness
}

type Range = { range: string; quality: number }

function readRange(text: string): Range[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const quality = weight === undefined ? '1' : weight.replace(/^q\s*=\s*/, '')
  return range !== '' && QUALITY.test(quality) ? [{ range, quality: Number(quality) }] : []
}

/** The most exact of the ranges that match the type counts. */
function preferenceFor(type: string, ranges: readonly Range[]): Preference {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  const matches = ranges.flatMap(({ range, quality }): Preference[] => {
    const exactness = names.indexOf(range)
    return exactness < 0 ? [] : [{ quality, exactness }]
  })
  return matches.reduce((best, match) => (match.exactness > best.exactness ? match : best), {
    quality: 0,
    exactness: -1,
  })
}
