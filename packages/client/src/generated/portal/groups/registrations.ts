/** People who sign up with an organization. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type {
  ConfirmRegistrationBody,
  CreateRegistrationBody,
  Registered,
  ToConfirm,
} from '../types.ts'

/** People who sign up with an organization. */
export class RegistrationsGroup extends Group {
  /**
   * Sign up.
   *
   * Signs a person up with an organization: makes the member, its tenant with a first API key, which
   * only this answer contains, and a session, whose cookie the answer sets. In sandbox the tenant
   * has 10,000.00 of program funding and an active card product. A known address fails with
   * `email_taken`; `PORTAL_SIGN_UP` may close sign-up. In live the answer is 202 whatever the
   * address is, and a mail has a link for `POST /registrations:confirm`. An address of the network
   * may send 20 within 15 minutes, in sandbox 1,000; a further one is 429 with `Retry-After`.
   *
   * Errors of its own: `sign_up_closed`, `email_taken`.
   *
   * `POST /registrations`
   */
  create(body: CreateRegistrationBody, options?: RequestOptions): Promise<Registered | ToConfirm> {
    return this.transport.send('POST', '/registrations', { body }, options)
  }

  /**
   * Confirm a registration.
   *
   * Makes the member and the tenant of a registration in live, with the token of the link in the
   * mail, which is valid once, for 24 hours. The answer is that of a registration in sandbox.
   *
   * Errors of its own: `token_invalid`, `sign_up_closed`, `email_taken`.
   *
   * `POST /registrations:confirm`
   */
  confirm(body: ConfirmRegistrationBody, options?: RequestOptions): Promise<Registered> {
    return this.transport.send('POST', '/registrations:confirm', { body }, options)
  }
}
