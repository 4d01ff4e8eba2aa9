/** Texts of Sign up and Sign in that no page of a member has. */
export const entrance = {
  organization: 'Organization',
  create: 'Create account',
  sign_up_lead: 'Issue cards in a sandbox with test money and a card product that is ready to use.',
  have_account: 'Do you have an account?',
  no_account: 'No account yet?',
  sign_in_lead: 'Open the console of your organization.',
  key_title: 'Your account is ready',
  key_lead: 'Store this key now: it is shown this once. Whoever has it acts for {{name}}.',
  mailed:
    'Open the link in the mail that was sent to you. It is valid for {{confirmation_hours}} hours.',
  taken: 'There is an account with this e-mail.',
  closed: 'People join this installation by invitation only. Ask an owner to invite you.',
  checks: {
    card: 'The card is active',
    limits: 'Within every limit',
    chip: 'The chip is genuine',
    balance: 'The balance covers it',
    responder: 'Your server says yes',
  },
  points: {
    title: 'Issue cards from the first day',
    one: 'Every authorization shows each check and what it found',
    two: 'A simulated card network: chips, refunds, clearing',
    three: 'Every action of the console is an API call that you can copy',
  },
}
