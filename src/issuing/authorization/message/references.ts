/** The names by which messages refer to each other: duplicates (D-109) and originals (DE90). */

import type { Fields, Message } from '#iso8583/message.ts'
import { mtiClass } from '#iso8583/mti.ts'
import type { OriginalData } from '#iso8583/original.ts'
import type { MessageType, OriginalReference } from '../schema.ts'

/**
 * `class|DE11|DE7|DE32|DE37`; undefined if the message has no trace number or time. DE90 fills
 * institutions with zeros, so leading zeros of DE32 are ignored.
 */
export function duplicateKeyOf({ mti, fields }: Message): string | undefined {
  const { 7: transmitted, 11: stan } = fields
  if (transmitted === undefined || stan === undefined) return undefined
  const acquirer = withoutZeros(fields[32] ?? '')
  return `${mtiClass(mti)}|${stan}|${transmitted}|${acquirer}|${fields[37]?.trim() ?? ''}`
}

/** The duplicate key of the original without its DE37; undefined when DE90 names nothing. */
export function messageKeyOf(original: OriginalData): string | undefined {
  const { mti, stan, transmitted, acquirer } = original
  if (/^0*$/.test(mti + stan + transmitted)) return undefined
  return `${mtiClass(mti)}|${stan}|${transmitted}|${withoutZeros(acquirer)}`
}

const withoutZeros = (institution: string): string => institution.replace(/^0+/, '')

/** Messages that contain the approval code of another message in DE38. */
const refersByApproval: ReadonlySet<MessageType> = new Set(['0220', '0400', '0420'])

export function originalOf(
  type: MessageType,
  fields: Fields,
  original: OriginalData | null | undefined,
): OriginalReference {
  const reference: OriginalReference = {}
  const message_key = original ? messageKeyOf(original) : undefined
  const rrn = fields[37]?.trim()
  const approval_code = refersByApproval.has(type) ? fields[38]?.trim() : undefined
  if (message_key !== undefined) reference.message_key = message_key
  if (rrn) reference.rrn = rrn
  if (approval_code) reference.approval_code = approval_code
  return reference
}
