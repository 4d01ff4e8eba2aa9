/** The result of a check of an authorization. */

import type { ShadowFinding } from '#issuing/shadows/rules.ts'

/** The detail of a check, and its code when it declines. */
export type Finding = {
  detail: string
  declined?: string
  /** The count of wrong PINs in a row, this one included; absent if no PIN was tried. */
  pin_failures?: number
  /** CVV2, iCVV, CVV or expiry date was present and wrong: a try that counts (D-122). */
  wrong_try?: boolean
  /** The lists and limits in SHADOW that would have declined (D-480). */
  shadows?: readonly ShadowFinding[]
}

export const passed = (detail: string): Finding => ({ detail })
export const wrongTry = (code: string, detail: string): Finding => ({
  detail,
  declined: code,
  wrong_try: true,
})
export const withShadows = (finding: Finding, shadows: readonly ShadowFinding[]): Finding =>
  shadows.length === 0 ? finding : { ...finding, shadows }
/** A security module was to find out, and gave no answer: nothing counts (D-1014). */
export const UNANSWERED = '9109'
export const unanswered: Finding = {
  detail: 'the security module gave no answer',
  declined: UNANSWERED,
}
export const NOT_VERIFIED = 'not verified'

export const declined = (code: string, detail: string): Finding => ({ detail, declined: code })
