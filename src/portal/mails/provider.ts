/** The interface of adapters that take mails to their recipients (D-142, D-580). */

/** A mail to one address. `id` names it for the recipient's server, also when it comes twice. */
export type Mail = { id: string; to: string; subject: string; text: string; html: string }

/**
 * A mail was not accepted. `permanent`: no later attempt can succeed. The message has no address
 * and no secret.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  readonly permanent: boolean

  constructor(message: string, permanent = false) {
    super(message)
    this.permanent = permanent
  }
}

/** Resolves once another server has the mail; rejects with a MailFailure within a minute. */
export type Mailer = (mail: Mail) => Promise<void>
