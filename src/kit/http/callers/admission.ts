/** Checks authentication, then the rate, then the permission, before the body is read. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import type { ApiModule } from '../api_module.ts'
import type { Route } from '../route.ts'
import type { Caller } from './callers.ts'
import { type Guesses, TooManyGuesses } from './guesses.ts'

type Admission = { api: ApiModule; guesses: Guesses; request: FastifyRequest; reply: FastifyReply }

/** Sets the caller of a request, if its route requires one. */
export async function admit(route: Route, admission: Admission): Promise<void> {
  const { api, request, reply } = admission
  api.sessions?.assertOrigin(request, route)
  if (route.permission === 'open') return
  const { apikey, authorization } = request.headers
  const session = api.sessions?.presented(request.headers)
  const isBare = apikey === undefined && authorization === undefined && session === undefined
  const authenticate = () => api.authenticate(request, route)
  // Neither can be a successful guess: there is no credential, or its signature is checked first.
  const caller =
    api.knownCaller?.(request) ??
    (isBare || (api.signsTokens && session === undefined)
      ? await authenticate()
      : await watchGuesses(
          admission,
          JSON.stringify([apikey, authorization, session]),
          authenticate,
        ))
  request.caller = caller
  showRate(caller, reply)
  caller.assertPermitted(route)
  if (api.completeCaller) request.caller = await api.completeCaller(caller, request)
}

/** A route with credentials in its body is watched like the headers of the others (D-361). */
export function takesCredentials({ permission, errors = [] }: Route): boolean {
  return permission === 'open' && errors.includes('unauthenticated')
}

/** Does `authenticate` unless the address of the request has failed too often. */
export async function watchGuesses<Result>(
  { guesses, request, reply }: Omit<Admission, 'api'>,
  credential: string,
  authenticate: () => Promise<Result>,
): Promise<Result> {
  const attempt = { address: request.source, credential, now: performance.now() }
  try {
    return await guesses.watch(attempt, authenticate)
  } catch (error) {
    if (error instanceof TooManyGuesses) reply.header('retry-after', error.wait_seconds)
    throw error
  }
}

function showRate({ rate }: Caller, reply: FastifyReply): void {
  reply.headers({
    'ratelimit-limit': rate.limit,
    'ratelimit-remaining': rate.remaining,
    'ratelimit-reset': rate.wait_seconds,
  })
  if (rate.allowed) return
  reply.header('retry-after', rate.wait_seconds)
  throw new ApiError('rate_limited')
}
