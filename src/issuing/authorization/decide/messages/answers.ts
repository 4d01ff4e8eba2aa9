/**
 * The codes that messages get beside those of the checks and of credits, each with its reason. The
 * documentation shows them, and a test reaches each.
 */

import type { AuthorizationAnswer, AuthorizationRequest } from '../../schema.ts'

/** The codes of approvals, after all checks have passed. */
export const approvalCodes = [
  ['0000', 'approved'],
  ['0001', 'the amount is at or above `identify_above` of the card product'],
  ['0002', 'less than was requested, where the terminal and the card product allow it'],
  ['0003', 'the cardholder is marked `vip`'],
  ['0885', 'the card was verified, and no money was requested'],
] as const
export type ApprovalCode = (typeof approvalCodes)[number][0]

/** Why an advice (0120) is recorded and not held; other codes of checks do not bind the network. */
export const adviceCodes = [
  ['1856', 'the network did not approve what it reports'],
  ['1018', 'no card has the number'],
  ['1847', 'the card product of the card does not exist'],
  ['1846', 'DE22 is missing'],
  ['9104', 'another field is missing or malformed'],
  ['1894', 'its reversal came first'],
  ['1888', 'the processing code is unknown, or the currency has no rate'],
  ['1019', 'the card has no account'],
  ['1010', 'the amount is zero'],
] as const

/**
 * The codes that a completion (0220) is recorded with. Completions with the first four are posted,
 * and so is a completion of a payment that was authorized and then reversed or declined (D-1037).
 */
export const completionCodes = [
  ['0000', 'of an authorization, within what was authorized or tolerated'],
  ['1854', 'above its authorization, where the card product tolerates nothing'],
  ['1855', 'above its authorization by more than `clearing_tolerance_percent`'],
  ['1857', 'without an authorization'],
  ['1018', 'no card has the number'],
  ['1847', 'the card product of the card does not exist'],
  ['1019', 'the card has no account'],
  ['1846', 'DE22 is missing'],
  ['9104', 'another field is missing or malformed'],
  ['1894', 'its authorization was reversed: posted; or its own reversal came first: not posted'],
  ['1888', 'the processing code moves no money, or the currency has no rate'],
  ['1858', 'another type or currency than its authorization, or that is complete'],
  ['1010', 'the amount is zero'],
  ['9115', 'its authorization was declined: posted all the same'],
] as const
export type CompletionCode = (typeof completionCodes)[number][0]

/** The codes of answers to reversals (0400, 0420). */
export const reversalCodes = [
  ['0000', 'reversed, all of it or a part'],
  ['1846', 'DE22 is missing'],
  ['9104', 'another field is missing or malformed'],
  ['9114', 'its original was not found'],
  ['9115', 'its original was declined'],
  ['1894', 'its original is reversed already'],
  ['1858', 'another type or currency than its original, or more than is left of it'],
] as const
export type ReversalCode = (typeof reversalCodes)[number][0]

/** A message under the key of another one, whose card, amount, currency or type differs (D-312). */
export const CONTRADICTION = '9104'

/** A fault of the program: nothing is recorded of the message (D-525). */
export const MALFUNCTION = '9109'

/** A presentment that was posted although what it claims was reversed or declined (D-1037). */
export const isPostedAgainst = (
  { message_type }: Pick<AuthorizationRequest, 'message_type'>,
  { approved, repeated, status_code }: AuthorizationAnswer,
): boolean => message_type === '0220' && approved && !repeated && AGAINST.has(status_code)

const AGAINST: ReadonlySet<string> = new Set(['1894', '9115'])
