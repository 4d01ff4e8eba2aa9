/** The portal as a table of its slices: sign-up, sessions and keys of members (D-133). */

import { openProviders } from '#adapters/adapter.ts'
import { mayCall, type Role } from '#callers/roles.ts'
import type { Sessions } from '#callers/sessions.ts'
import type { Context } from '#kit/context.ts'
import type { ApiModule } from '#kit/http/api_module.ts'
import type { Route } from '#kit/http/route.ts'
import type { Log } from '#kit/log.ts'
import type { Profile } from '#kit/profile.ts'
import { catalogueOfSlices, routesOf, type Slice } from '#kit/slice.ts'
import { keysSlice } from '#portal/keys/slice.ts'
import { outboxOf } from '#portal/mails/mails.ts'
import { mailsOperatorSlice, mailsSlice } from '#portal/mails/slice.ts'
import { passkeysSlice } from '#portal/passkeys/slice.ts'
import { peopleSlice } from '#portal/people/slice.ts'
import { registrationsSlice } from '#portal/registrations/slice.ts'
import { resetsSlice } from '#portal/resets/slice.ts'
import { secondFactorsSlice } from '#portal/second_factors/slice.ts'
import { sessionsSlice } from '#portal/sessions/slice.ts'
import { teamSlice } from '#portal/team/slice.ts'
import { tenantHeaderOf } from '#src/config/browsers.ts'
import type { Config } from '#src/config/config.ts'

export const PORTAL_PREFIX = '/portal/v1'

/** The slices that the portal adds to the operator's routes of the issuing API. */
export const portalOperatorSlices: readonly Slice[] = [mailsOperatorSlice]

type Parts = {
  log: Log
  profile: Profile
  /** Called when it is needed: ports may be known only once the program listens. */
  config: () => Config
  /** The routes of every API, for the operations of a role; called with each request for these. */
  routes: () => readonly Route[]
}

/** The slices of the portal; a slice may use those before it. */
export function portalSlices({ config, routes, log, profile }: Parts): Slice[] {
  const operationsOf = (role: Role) =>
    routes()
      .filter((route) => route.permission !== 'open' && mayCall(role, route))
      .map(({ id }) => id)
  const { operator_name, adapters } = config()
  const { mailer } = openProviders(adapters, {})
  const outbox = outboxOf(profile, mailer, operator_name)
  const linkTo = (page: string, token: string) =>
    `${config().public_url}/console/${page}?token=${token}`
  const mailing = { outbox, linkTo }
  return [
    mailsSlice({ mailer, log }),
    peopleSlice,
    secondFactorsSlice({ issuer: operator_name, outbox }),
    sessionsSlice({ operationsOf, tenant_header: tenantHeaderOf(operator_name) }),
    passkeysSlice(() => ({ public_url: config().public_url, operator_name }), outbox),
    registrationsSlice({ signUp: () => config().sign_up, mailing }),
    keysSlice,
    teamSlice(mailing),
    resetsSlice(mailing),
  ]
}

type Mounted = Pick<
  ApiModule,
  'formatError' | 'idempotencyHeaders' | 'openContext' | 'authenticate'
> & { sessions: Sessions }

/**
 * Errors are those of the issuing API. Its callers are sessions: a key is none here, but for routes
 * of the operator, whose callers are those of the issuing API (D-631).
 */
export function portalModule(slices: Slice[], mounted: Mounted): ApiModule {
  const { sessions, formatError, idempotencyHeaders, openContext } = mounted
  return {
    // Nothing else of the issuing API: by `knownCaller` its keys would be callers of every route.
    sessions,
    formatError,
    idempotencyHeaders,
    name: 'portal',
    keysOfCallers: true,
    prefix: PORTAL_PREFIX,
    routes: routesOf(slices),
    errors: catalogueOfSlices(slices),
    authenticate: (request, route) =>
      route.permission === 'operator'
        ? mounted.authenticate(request, route)
        : sessions.caller(request),
    openContext: (): Context => openContext(),
  }
}
