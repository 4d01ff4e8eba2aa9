/** The last digits, by which people tell cards apart. */
export const shortNumber = (masked: string): string => `•••• ${masked.slice(-4)}`

/** Every masked digit as a dot, in groups of four, as it is printed. */
export const printedNumber = (masked: string): string =>
  masked.replace(/[^0-9]/g, '•').replace(/.{4}(?=.)/gu, '$& ')

/** `2029-11` as it is printed: `11/29`. */
export const printedExpiry = (month: string): string => `${month.slice(5, 7)}/${month.slice(2, 4)}`
