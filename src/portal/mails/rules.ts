/**
 * The validity of links and challenges of the portal, and the bounds of a password. Its rules, its
 * mails and the console take these numbers from here, so that no sentence names another one
 * (D-973).
 */
export const TERMS = {
  reset_minutes: 30,
  confirmation_hours: 24,
  invitation_days: 7,
  /** Failed attempts count for so long. */
  attempts_minutes: 15,
  /** A mail that is not sent is kept for so long. */
  kept_mail_days: 30,
  password_least: 12,
  password_most: 128,
} as const
