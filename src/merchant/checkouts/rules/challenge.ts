/** The one-time code by which a cardholder confirms a payment (D-741, D-743). */

/** The lifetime of each code. */
export const CODE_MS = 5 * 60 * 1000
/** The most codes of one question; a new code ends the one before. */
export const CODES_MAX = 3
/** The third wrong code is a declined payment. */
export const WRONG_CODES_MAX = 3
const DIGITS = 6
const CODE = /^\d{6}$/

/** The actions of the buttons of the page; `show` is the page in another language. */
export const actions = ['confirm', 'resend', 'cancel', 'show'] as const
export type Action = (typeof actions)[number]

export type Question = { expires: Date; codes: number; wrong_codes: number; code: string }
export type Verdict =
  | 'late'
  | 'cancelled'
  | 'resent'
  | 'shown'
  | 'empty'
  | 'unreadable'
  | 'right'
  | 'wrong'
  | 'refused'
  /** An issuer that is asked over the wire has no approval yet, or does not answer. */
  | 'waiting'
  | 'unanswered'

/** Whether what was typed may be a code. */
export const isCode = (typed: string): boolean => CODE.test(typed)

/** `typed` has digits only. A code that cannot be one is no try. */
export function judge(
  { expires, codes, wrong_codes, code }: Question,
  { action, typed }: { action: Action; typed: string },
  now: Date,
): Verdict {
  if (action === 'cancel') return 'cancelled'
  if (expires <= now) return 'late'
  if (action === 'resend') return codes < CODES_MAX ? 'resent' : 'shown'
  if (action === 'show') return 'shown'
  if (typed === '') return 'empty'
  if (!isCode(typed)) return 'unreadable'
  if (typed === code) return 'right'
  return wrong_codes + 1 < WRONG_CODES_MAX ? 'wrong' : 'refused'
}

/** Six digits of a keyed digest, as RFC 4226 takes them from one. */
export function codeOfDigest(digest: Buffer): string {
  const at = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}
