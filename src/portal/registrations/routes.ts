import { type Route, route } from '#kit/http/route.ts'
import { visitIn } from '#kit/http/visit.ts'
import { confirm, register, type SignUp } from './registrations.ts'
import { Confirmation, NewRegistration, Registered, ToConfirm } from './schema.ts'

/** `signUp` is called with each request. */
export const registrationRoutes = (parts: SignUp): Route[] => [
  route({
    id: 'createRegistration',
    tag: 'Registrations',
    description:
      'Signs a person up with an organization: makes the member, its tenant with a first API ' +
      'key, which only this answer contains, and a session, whose cookie the answer sets. In ' +
      'sandbox the tenant has 10,000.00 of program funding and an active card product. A known ' +
      'address fails with `email_taken`; `PORTAL_SIGN_UP` may close sign-up. In live the answer ' +
      'is 202 whatever the address is, and a mail has a link for `POST /registrations:confirm`. ' +
      'An address of the network may send 20 within 15 minutes, in sandbox 1,000; a further ' +
      'one is 429 with `Retry-After`.',
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
    other: { status: 202, answer: ToConfirm },
    errors: ['email_taken', 'sign_up_closed', 'rate_limited', 'unavailable'],
    run: (ctx, input) => register(ctx, input.body, { visit: visitIn(input), ...parts }),
  }),
  route({
    id: 'confirmRegistration',
    tag: 'Registrations',
    description:
      'Makes the member and the tenant of a registration in live, with the token of the link in ' +
      'the mail, which is valid once, for 24 hours. The answer is that of a registration in ' +
      'sandbox.',
    method: 'POST',
    path: '/registrations:confirm',
    permission: 'open',
    summary: 'Confirm a registration',
    visits: true,
    commitsItself: true,
    answersSecret: true,
    body: Confirmation,
    answer: Registered,
    status: 201,
    errors: ['token_invalid', 'email_taken', 'sign_up_closed'],
    run: (ctx, input) => confirm(ctx, input.body, { visit: visitIn(input), ...parts }),
  }),
]
