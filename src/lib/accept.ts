/** What a client would rather have (RFC 9110, section 12.5.1). */

/** How much a type is wanted, and how exactly it was named: as itself, by its kind, by anything. */
type Wish = { quality: number; exactness: number }

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Whether `other` is to be answered instead of `usual`. It must be wanted more, or as much but
 * named more exactly: a wildcard and a header that cannot be read leave what is usual. Nothing is
 * refused for its Accept header.
 */
export function prefers(accept: string | undefined, other: string, usual: string): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',').flatMap(readRange)
  const [wanted, instead] = [wishFor(other, ranges), wishFor(usual, ranges)]
  if (wanted.quality !== instead.quality) return wanted.quality > instead.quality
  return wanted.quality > 0 && wanted.exactness > instead.exactness
}

type Range = { range: string; quality: number }

function readRange(text: string): Range[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const quality = weight === undefined ? '1' : weight.replace(/^q\s*=\s*/, '')
  return range !== '' && QUALITY.test(quality) ? [{ range, quality: Number(quality) }] : []
}

/** Of the ranges that a type falls into the most exact one counts. */
function wishFor(type: string, ranges: readonly Range[]): Wish {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  const wishes = ranges.flatMap(({ range, quality }): Wish[] => {
    const exactness = names.indexOf(range)
    return exactness < 0 ? [] : [{ quality, exactness }]
  })
  return wishes.reduce((best, wish) => (wish.exactness > best.exactness ? wish : best), {
    quality: 0,
    exactness: -1,
  })
}
