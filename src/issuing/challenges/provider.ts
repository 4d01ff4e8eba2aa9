/** How one-time codes go out (D-1090). */

import type { Secret } from '#lib/secret.ts'
import type { Challenge } from './schema.ts'

/** A code that has to go out. `email` is there where the messenger is MAIL. */
export type CodeMessage = {
  tenant_id: string
  challenge: Challenge
  code: Secret
  email: string | null
}

/** Sends a code behind the commit of its challenge. Returns at once and never throws. */
export type Messenger = {
  readonly sends_mails: boolean
  send: (message: CodeMessage) => void
}

/**
 * Resolves once another server has the mail. Rejects within a minute; with `permanent` where no
 * later attempt could succeed.
 */
export type CodeMailer = (mail: {
  id: string
  to: string
  subject: string
  text: string
  html: string
}) => Promise<void>
