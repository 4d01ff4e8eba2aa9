/** The name of a merchant on statements of cardholders (D-985). Pure. */

import type { Fault } from '#lib/result.ts'
import { withoutSurround } from '#lib/surround.ts'
import { DE43_NAME, networkName } from './network_name.ts'

const MARKS = "& ' ( ) * + , - . / : # @ ! ?"
const GRAMMAR = /^[A-Za-z0-9 &'()*+,./:#@!?-]+$/

/** Without what is around it, and with single blanks. */
export const readDescriptor = (text: string): string =>
  withoutSurround(text).replace(/[\s\p{Z}]+/gu, ' ')

/** The faults of the descriptor that a merchant would have, as it is read. */
export function descriptorFaults(of: { descriptor: string | null; display_name: string }): Fault[] {
  const { descriptor } = of
  if (descriptor !== null && !fits(descriptor)) {
    return fault(`must be 1 to ${DE43_NAME} Latin letters, digits, blanks and marks of ${MARKS}`)
  }
  if (networkName(of) !== '') return []
  return fault(
    'is required if `display_name` has no Latin letter and no digit: send the name that ' +
      `statements show, in at most ${DE43_NAME} Latin letters, digits, blanks and marks`,
  )
}

const fits = (text: string): boolean =>
  text.length <= DE43_NAME && GRAMMAR.test(text) && /[A-Za-z0-9]/.test(text)

const fault = (message: string): Fault[] => [{ path: 'descriptor', message }]
