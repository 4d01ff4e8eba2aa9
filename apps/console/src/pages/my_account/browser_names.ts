/** Browsers also name others: a name that others use as well comes after theirs. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** The browser and system of a user agent, such as "Chrome, Linux"; else the text as it is. */
export function browserOf(user_agent: string | undefined): string | undefined {
  if (user_agent === undefined) return undefined
  const names = [BROWSERS, SYSTEMS].flatMap(
    (known) => known.find(([sign]) => sign.test(user_agent))?.[1] ?? [],
  )
  return names.length === 0 ? user_agent : names.join(', ')
}
