/** Every group of the document, and what its requests need. */
import type { Transport } from '../../core/transport.ts'
import { ApiKeysGroup } from './groups/api_keys.ts'
import { PasskeysGroup } from './groups/passkeys.ts'
import { PasswordsGroup } from './groups/passwords.ts'
import { RegistrationsGroup } from './groups/registrations.ts'
import { SecondFactorsGroup } from './groups/second_factors.ts'
import { SessionsGroup } from './groups/sessions.ts'
import { TeamGroup } from './groups/team.ts'

export const api = {
  prefix: '/portal/v1',
  idempotencyHeader: 'x-bezant-idempotency-key',
  apiKeyHeader: 'apikey',
  sessionCookie: 'bezant_session',
}

export class Groups {
  /** People who sign up with an organization. */
  readonly registrations: RegistrationsGroup
  /** Signing in and out. */
  readonly sessions: SessionsGroup
  /** Codes by time and recovery codes. */
  readonly secondFactors: SecondFactorsGroup
  /** Passkeys, which sign in without a password. */
  readonly passkeys: PasskeysGroup
  /** New passwords for those that were forgotten. */
  readonly passwords: PasswordsGroup
  /** Members and invitations. */
  readonly team: TeamGroup
  /** API keys of the tenant of the member. */
  readonly apiKeys: ApiKeysGroup

  constructor(transport: Transport) {
    this.registrations = new RegistrationsGroup(transport)
    this.sessions = new SessionsGroup(transport)
    this.secondFactors = new SecondFactorsGroup(transport)
    this.passkeys = new PasskeysGroup(transport)
    this.passwords = new PasswordsGroup(transport)
    this.team = new TeamGroup(transport)
    this.apiKeys = new ApiKeysGroup(transport)
  }
}
