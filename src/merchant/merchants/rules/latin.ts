/** Latin letters as printable ASCII, for messages of card networks. */

/** Letters that no decomposition of Unicode takes apart. */
const whole: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', ß: 'ss', ẞ: 'SS', ø: 'o', Ø: 'O', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE' },
  ...{ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ı: 'i', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
  ...{ ŋ: 'n', Ŋ: 'N', ə: 'e', Ə: 'E', '’': "'", '‘': "'", '–': '-', '—': '-' },
}

/** Without accents, on one line; letters of other scripts are left out. */
export function toLatin(text: string): string {
  const plain = [...text.normalize('NFKD')].map((letter) => whole[letter] ?? letter).join('')
  const folded = plain.replace(/[\s\p{Z}]/gu, ' ').replace(/[^\x20-\x7e]/g, '')
  return folded.replace(/ +/g, ' ').trim()
}

/** Characters of the name in DE43. */
export const DE43_NAME = 25

/** The name of a merchant in DE43 (D-985); empty where nothing is left of it in Latin letters. */
export function networkName(of: { descriptor: string | null; display_name: string }): string {
  const name = (of.descriptor ?? toLatin(of.display_name)).slice(0, DE43_NAME).trim()
  return /[A-Za-z0-9]/.test(name) ? name : ''
}
