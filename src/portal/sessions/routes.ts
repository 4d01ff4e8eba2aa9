import { type Route, route } from '#kit/http/route.ts'
import { IdPath, Nothing } from '#kit/http/schema.ts'
import { visitIn } from '#kit/http/visit.ts'
import {
  Challenge,
  PresentSession,
  SecondStep,
  SessionList,
  SessionQuery,
  SignedIn,
  SignIn,
} from './schema.ts'
import {
  endSession,
  listSessions,
  memberOf,
  readSession,
  type SessionTerms,
  signIn,
  verifySignIn,
} from './sessions.ts'

const signInRoutes: Route[] = [
  route({
    id: 'signIn',
    tag: 'Sessions',
    description:
      'Begins a session, whose cookie the answer sets; or answers 202 with a challenge where the ' +
      'member has a second factor, for `POST /sessions:verify`. Ten failures of an account or ' +
      'fifty of an address of the network (of IPv6 its /64) within 15 minutes are followed by ' +
      '429. A session that the request comes with ends.',
    method: 'POST',
    path: '/sessions',
    permission: 'open',
    summary: 'Sign in',
    visits: true,
    commitsItself: true,
    body: SignIn,
    answer: SignedIn,
    status: 201,
    other: { status: 202, answer: Challenge },
    errors: ['credentials_wrong', 'rate_limited'],
    run: (ctx, input) => signIn(ctx, input.body, visitIn(input)),
  }),
  route({
    id: 'verifySignIn',
    tag: 'Sessions',
    description:
      'The second step of a sign-in: takes the challenge and a code of the second factor, and ' +
      'begins a session. A challenge is valid once, for five minutes.',
    method: 'POST',
    path: '/sessions:verify',
    permission: 'open',
    summary: 'Verify a sign-in',
    visits: true,
    commitsItself: true,
    body: SecondStep,
    answer: SignedIn,
    status: 201,
    errors: ['credentials_wrong', 'rate_limited'],
    run: (ctx, input) => verifySignIn(ctx, input.body, visitIn(input)),
  }),
]

export const sessionRoutes = (terms: SessionTerms): Route[] => [
  ...signInRoutes,
  route({
    id: 'getSession',
    tag: 'Sessions',
    description:
      'Returns the member of the session with tenant, role and what the role allows. Members of ' +
      'the operator’s team have no tenant, and name one in the header `tenant_header`. A request ' +
      'with the header `x-session-member` is answered only where the session is of the member ' +
      'with that id, else 401: so a page never acts for another member who has signed in since.',
    method: 'GET',
    path: '/session',
    permission: 'member',
    summary: 'Get the session',
    answer: PresentSession,
    run: (ctx) => readSession(ctx, terms),
  }),
  route({
    id: 'signOut',
    tag: 'Sessions',
    description: 'Ends the session of the request and removes its cookie.',
    method: 'DELETE',
    path: '/session',
    permission: 'member',
    summary: 'Sign out',
    visits: true,
    answer: Nothing,
    status: 204,
    run: (ctx, input) => endSession(ctx, memberOf(ctx).session_id, visitIn(input)),
  }),
  route({
    id: 'listSessions',
    tag: 'Sessions',
    description: 'Lists the sessions of the member that have not ended, newest first.',
    method: 'GET',
    path: '/sessions',
    permission: 'member',
    summary: 'List sessions',
    query: SessionQuery,
    answer: SessionList,
    run: (ctx, { query }) => listSessions(ctx, query),
  }),
  route({
    id: 'endSession',
    tag: 'Sessions',
    description: 'Ends one session of the member, in every process within a second.',
    method: 'DELETE',
    path: '/sessions/{id}',
    permission: 'member',
    summary: 'End a session',
    visits: true,
    params: IdPath,
    answer: Nothing,
    status: 204,
    run: (ctx, input) => endSession(ctx, input.params.id, visitIn(input)),
  }),
]
