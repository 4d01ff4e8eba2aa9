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
