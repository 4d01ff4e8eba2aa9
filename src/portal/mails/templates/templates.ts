/** The mails of the portal. Each is understood alone, and names no secret but its link. */

import { TERMS } from '../rules.ts'
import { type Message, quotedName } from './layout.ts'

const NOT_ASKED = 'If you did not ask for this, ignore this mail: nothing changes.'

/** `organization` is undefined for the operator's team. */
const teamOf = (organization: string | undefined): string =>
  organization === undefined ? 'the operator’s team' : quotedName(organization)

export function invitation(url: string, organization: string | undefined, role: string): Message {
  const where = teamOf(organization)
  return {
    subject: 'You are invited',
    sentences: [`You are invited to ${where}, with the role ${role}.`],
    link: { label: 'Accept the invitation', url },
    notes: [
      `The link is valid once, for ${TERMS.invitation_days} days.`,
      'If you do not know who invites you, ignore this mail: nothing changes.',
    ],
  }
}

/** The mail to a member of another team: the inviter does not learn of it. */
export function invitationElsewhere(organization: string | undefined): Message {
  const where = teamOf(organization)
  return {
    subject: 'You are invited',
    sentences: [
      `You are invited to ${where}, but this address is that of a member of another team.`,
      'An address is in one team only: ask for an invitation of another address, or leave the ' +
        'other team first.',
    ],
    notes: ['If you do not know who invites you, ignore this mail: nothing changes.'],
  }
}

export const passwordReset = (url: string): Message => ({
  subject: 'Choose a new password',
  sentences: ['You asked for a new password.'],
  link: { label: 'Choose a new password', url },
  notes: [`The link is valid once, for ${TERMS.reset_minutes} minutes.`, NOT_ASKED],
})

export const passwordChanged = (): Message => ({
  subject: 'Your password was changed',
  sentences: [
    'Your password was changed, and every session has ended.',
    'If this was not you, ask for a new password at once.',
  ],
  notes: [],
})

/** The sentences of the mail. */
const FACTOR_CHANGES = {
  TOTP_ADDED: 'An authenticator was set up as your second factor.',
  TOTP_REMOVED: 'Your authenticator and its recovery codes were removed.',
  PASSKEY_ADDED: 'A passkey was added, which signs in without a password.',
  PASSKEY_REMOVED: 'A passkey was removed.',
  RESET_WITH_PASSWORD: 'Every second factor was removed with the choice of a new password.',
  RESET_BY_OWNER: 'Every second factor was removed by an owner of your team.',
  RESET_BY_OPERATOR: 'Every second factor was removed by the operator of the service.',
} as const
export type FactorChange = keyof typeof FACTOR_CHANGES

/** No name of a passkey, because its member chooses it, and it could be any text. */
export const factorsChanged = (change: FactorChange): Message => ({
  subject: 'Your second factors were changed',
  sentences: [
    FACTOR_CHANGES[change],
    'If this was not you, choose a new password at once, and remove the factors that you do not ' +
      'know with it.',
  ],
  notes: [],
})

export const confirmation = (url: string): Message => ({
  subject: 'Confirm your address',
  sentences: ['You signed up with this address.'],
  link: { label: 'Confirm the address', url },
  notes: [`The link is valid once, for ${TERMS.confirmation_hours} hours.`, NOT_ASKED],
})

/** The mail to an address that has an account: the answer to the request is the same. */
export const addressKnown = (): Message => ({
  subject: 'You have an account already',
  sentences: ['Somebody signed up with this address, which has an account already.'],
  notes: ['If you have forgotten your password, ask for a new one where you sign in.', NOT_ASKED],
})
