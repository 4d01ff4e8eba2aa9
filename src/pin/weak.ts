/** PINs that are guessed first. A product may reject them (D-29, D-37). */

import type { Secret } from '#lib/secret.ts'

/**
 * Often chosen though no rule below finds them: keypad columns, crosses and corners, words on the
 * keys (5683 is LOVE), 0007 and their like. From published counts of leaked PINs.
 */
const POPULAR = new Set([
  ...['0007', '0070', '1004', '1020', '1123', '1023', '1230', '1233', '1342', '1472', '1590'],
  ...['1593', '2468', '1357', '2580', '0852', '3698', '5683', '7410', '7412', '7418', '8520'],
  ...['9510', '9630', '1470', '3690', '1379', '7931', '1397', '2486', '8642', '7531', '1324'],
  ...['147258', '147852', '159753', '258456', '123654', '456123', '789456', '159357', '741852'],
])

/** Years that people are born in or remember. */
const YEAR = /^(?:19[0-9]{2}|20[0-2][0-9])$/

/** True for a PIN that a thief would try first. Does not check its length. */
export function isWeakPin(pin: Secret): boolean {
  const digits = pin.reveal()
  return isRun(digits) || isRepeated(digits) || YEAR.test(digits) || POPULAR.has(digits)
}

/** Each digit the same step from the one before, over the end too: 1111, 1234, 9876, 7890. */
function isRun(digits: string): boolean {
  const steps = [...digits]
    .slice(1)
    .map((digit, at) => (Number(digit) - Number(digits[at]) + 10) % 10)
  return [0, 1, 9].some((step) => steps.every((other) => other === step))
}

/** Two or three digits over and over (1212, 123123), pairs (1122, 112233), or mirrored (1221). */
function isRepeated(digits: string): boolean {
  const mirrored = [...digits].reverse().join('')
  return /^(\d{2,3})\1+$/.test(digits) || /^(?:(\d)\1)+$/.test(digits) || digits === mirrored
}
