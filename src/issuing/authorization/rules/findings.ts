/** What a check of an authorization says. */

/** What a check looked at, and the code when it refuses. */
export type Finding = {
  detail: string
  refused?: string
  /** Where a PIN was tried: how many wrong ones in a row there are with it. */
  pin_failures?: number
  /** CVV2, iCVV, CVV or expiry date was given and is another one: a try that counts (D-122). */
  wrong_try?: boolean
}

export const passed = (detail: string): Finding => ({ detail })
export const wrongTry = (refused: string, detail: string): Finding => ({
  detail,
  refused,
  wrong_try: true,
})
export const refused = (refused: string, detail: string): Finding => ({ detail, refused })
