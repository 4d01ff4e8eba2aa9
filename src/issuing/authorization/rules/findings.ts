/** What a check of an authorization says. */

/** What a check looked at, and the code when it refuses. */
export type Finding = {
  saw: string
  refused?: string
  /** Where a PIN was tried: how many wrong ones in a row there are with it. */
  pin_failures?: number
}

export const passed = (saw: string): Finding => ({ saw })
export const refused = (refused: string, saw: string): Finding => ({ saw, refused })
