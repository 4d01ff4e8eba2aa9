/** The check digit of card numbers (ISO/IEC 7812-1 annex B). */

/** The sum of a digit in a doubled place: twice its value, less nine if that exceeds nine. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9] as const

/** The digit that completes `digits` (a card number without its last). Needs 1 digit or more. */
export function luhnCheckDigit(digits: string): string {
  if (!/^[0-9]+$/.test(digits)) throw new TypeError('luhnCheckDigit needs decimal digits')
  return String((10 - (luhnSum(digits, true) % 10)) % 10)
}

/** True for a card number of 12 to 19 digits whose last digit is its check digit. */
export function isLuhn(pan: string): boolean {
  return /^[0-9]{12,19}$/.test(pan) && luhnSum(pan, false) % 10 === 0
}

function luhnSum(digits: string, lastIsDoubled: boolean): number {
  let sum = 0
  let doubled = lastIsDoubled
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    const digit = digits.charCodeAt(at) - 48
    sum += doubled ? (DOUBLED[digit] ?? 0) : digit
    doubled = !doubled
  }
  return sum
}
