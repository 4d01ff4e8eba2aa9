import { type Route, route } from '#kit/http/route.ts'
import { visitIn } from '#kit/http/visit.ts'
import { register } from './registrations.ts'
import { NewRegistration, Registered } from './schema.ts'

/** `signUp` is asked with each request. */
export const registrationRoutes = (signUp: () => 'open' | 'invited'): Route[] => [
  route({
    id: 'createRegistration',
    tag: 'Registrations',
    description:
      'Signs a person up with an organization: makes the member, its tenant with a first API ' +
      'key, which only this answer contains, and a session, whose cookie the answer sets. In ' +
      'sandbox the tenant has 10,000.00 of program funding and an active card product. A known ' +
      'address fails with `email_taken`; `PORTAL_SIGN_UP` may close sign-up.',
    method: 'POST',
    path: '/registrations',
    permission: 'open',
    summary: 'Sign up',
    visits: true,
    commitsItself: true,
    answersSecret: true,
    body: NewRegistration,
    answer: Registered,
    status: 201,
    errors: ['email_taken', 'sign_up_closed', 'not_configured'],
    run: (ctx, input) => register(ctx, input.body, { visit: visitIn(input), sign_up: signUp() }),
  }),
]
