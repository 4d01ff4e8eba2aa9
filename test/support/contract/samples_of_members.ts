/** A request for every operation of the portal. */

import { PASSWORD, someEmail } from '../portal/browser.ts'
import type { Belongings } from './belongings.ts'
import { bodyOf, none, of, type Samples } from './sample.ts'

/** Samples about members: their credentials, and objects of a session. */
export const ofMembers: Samples = {
  'GET /v1/operator/mails': none,
  'POST /portal/v1/registrations': () => ({
    body: { email: someEmail(), password: PASSWORD, organization: 'Palm Bank' },
  }),
  'POST /portal/v1/sessions': bodyOf(({ member }) => ({
    email: member.email,
    password: PASSWORD,
  })),
  'POST /portal/v1/sessions:verify': bodyOf(({ member }) => ({
    challenge: member.challenge,
    code: member.code,
  })),
  'POST /portal/v1/sessions:passkey': bodyOf(({ access }) => ({ credential: access.assertion })),
  'POST /portal/v1/registrations:confirm': bodyOf(({ access }) => ({
    token: access.confirmation,
  })),
  'POST /portal/v1/passwords:reset': () => ({ body: { email: someEmail() } }),
  'POST /portal/v1/passwords:check': bodyOf(({ access }) => ({ token: access.reset })),
  'POST /portal/v1/passwords:confirm': bodyOf(({ access }) => ({
    token: access.reset,
    password: PASSWORD,
  })),
  'GET /portal/v1/second_factors': none,
  'POST /portal/v1/totp': bodyOf(() => ({ password: PASSWORD })),
  'POST /portal/v1/totp:confirm': bodyOf(({ access }) => ({ code: access.code })),
  'DELETE /portal/v1/totp': bodyOf(() => ({ password: PASSWORD })),
  'POST /portal/v1/passkeys:options': none,
  'POST /portal/v1/passkeys': bodyOf(() => ({ password: PASSWORD })),
  'POST /portal/v1/passkeys:confirm': bodyOf(({ access }) => ({
    name: 'Laptop',
    credential: access.attestation,
  })),
  'GET /portal/v1/passkeys': none,
  'DELETE /portal/v1/passkeys/{id}': of('passkey', { password: PASSWORD }),
  'POST /portal/v1/invitations': () => ({ body: { email: someEmail(), role: 'viewer' } }),
  'GET /portal/v1/invitations': none,
  'DELETE /portal/v1/invitations/{id}': of('invitation'),
  'POST /portal/v1/invitations:accept': bodyOf(({ access }) => ({
    token: access.invited,
    password: PASSWORD,
  })),
  'POST /portal/v1/operators:invite': () => ({ body: { email: someEmail() } }),
  'GET /portal/v1/members': none,
  'PUT /portal/v1/members/{id}': of('colleague', { role: 'support' }),
  'DELETE /portal/v1/members/{id}': of('colleague'),
  'DELETE /portal/v1/members/{id}/factors': of('colleague'),
  'DELETE /portal/v1/owners/{id}/factors': of('sole_owner'),
  'GET /portal/v1/session': none,
  // It names nothing, and ends the session of the member.
  'DELETE /portal/v1/session': ({ member }) => (member ? {} : {}),
  'GET /portal/v1/sessions': none,
  'DELETE /portal/v1/sessions/{id}': of('other_session'),
  'POST /portal/v1/keys': () => ({ body: { name: 'Shop', permissions: ['read'] } }),
  'GET /portal/v1/keys': none,
  'DELETE /portal/v1/keys/{id}': of('unused_key'),
}

/**
 * The session that calls it: a member who sets up a factor has none yet, one who removes a factor
 * has it.
 */
export function cookieFor(path: string, method: string, { access, member }: Belongings): string {
  if (path.startsWith('/passkeys') || (path === '/totp' && method === 'DELETE')) {
    return access.guarded_cookie
  }
  return path.startsWith('/totp') ? access.starter_cookie : member.cookie
}
