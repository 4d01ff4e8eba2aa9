/** Texts of pages that mails lead to, and of the one that asks for such a mail. */
export const mailed = {
  invitation_lead: 'Choose a password to join the team that invited you.',
  join: 'Join',
  reset_lead: 'Choose a new password. All your sessions end.',
  replace: 'Replace the password',
  replaced: 'The password is replaced. Sign in with it.',
  factors: 'Second factors of this account',
  factors_text:
    'Authenticator: {{totp}}. Passkeys: {{passkeys}}. Remove what you have lost or do not know.',
  has_totp: 'set up',
  has_no_totp: 'none',
  remove_factors: 'Remove every second factor',
  forgot_lead: 'Enter your e-mail. A link to choose a new password is sent to it.',
  forgot_sent:
    'If an account has this e-mail, a link is on its way. It is valid for ' +
    '{{reset_minutes}} minutes.',
  send: 'Send the link',
  back: 'Back to sign in',
  confirm_lead: 'One step is left: confirm that this e-mail is yours.',
  confirm: 'Confirm',
}
