/** The mails of the portal. Each is understood alone, and names no secret but its link. */

import type { Message } from './layout.ts'

const NOT_ASKED = 'If you did not ask for this, ignore this mail: nothing changes.'

/** `organization` is undefined for the operator's team. */
export function invitation(url: string, organization: string | undefined, role: string): Message {
  const where = organization === undefined ? 'the operator’s team' : `“${organization}”`
  return {
    subject: 'You are invited',
    sentences: [`You are invited to ${where}, with the role ${role}.`],
    link: { label: 'Accept the invitation', url },
    notes: [
      'The link is valid once, for 7 days.',
      'If you do not know who invites you, ignore this mail: nothing changes.',
    ],
  }
}

export const passwordReset = (url: string): Message => ({
  subject: 'Choose a new password',
  sentences: ['You asked for a new password.'],
  link: { label: 'Choose a new password', url },
  notes: ['The link is valid once, for 30 minutes.', NOT_ASKED],
})

export const passwordChanged = (): Message => ({
  subject: 'Your password was changed',
  sentences: [
    'Your password was changed, and every session has ended.',
    'If this was not you, ask for a new password at once.',
  ],
  notes: [],
})

export const confirmation = (url: string): Message => ({
  subject: 'Confirm your address',
  sentences: ['You signed up with this address.'],
  link: { label: 'Confirm the address', url },
  notes: ['The link is valid once, for 24 hours.', NOT_ASKED],
})

/** For an address that has an account: the answer to the request is the same. */
export const addressKnown = (): Message => ({
  subject: 'You have an account already',
  sentences: ['Somebody signed up with this address, which has an account already.'],
  notes: ['If you have forgotten your password, ask for a new one where you sign in.', NOT_ASKED],
})
