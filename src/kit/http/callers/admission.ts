/** Checks authentication, then the rate, then the permission, before the body is read. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import type { ApiModule } from '../api_module.ts'
import type { Permission } from '../permissions.ts'
import type { Route } from '../route.ts'
import type { Caller } from './callers.ts'
import { type Guesses, TooManyGuesses } from './guesses.ts'
import { assertBodyOfRole, mayCall, roleLacks } from './roles.ts'

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
  assertPermitted(caller, route)
  if (api.completeCaller) request.caller = await api.completeCaller(caller, request)
}

/**
 * Throws `permission_missing` for an operation that the key or the role of the member does not
 * allow, and `second_factor_required` for one that is not about the member's own account, if that
 * lacks a required factor (D-140, D-583).
 */
export function assertPermitted({ ctx, permissions, role }: Caller, route: Route): void {
  if (role !== undefined) {
    const isOwn = route.permission === 'member'
    if (ctx.member?.lacks_second_factor && !isOwn) throw new ApiError('second_factor_required')
    if (!mayCall(role, route)) throw roleLacks(role)
    return
  }
  if (permissions.has(route.permission)) return
  const { permission } = route
  const detail = lack(permission, permissions)
  throw new ApiError('permission_missing', { extra: { permission }, ...(detail && { detail }) })
}

/** A key of the operator acts for no tenant, and one of a tenant never for the operator. */
function lack(permission: Permission, own: ReadonlySet<Permission>): string | undefined {
  if (permission === 'operator') return "This operation needs the operator's key."
  if (own.has('operator')) return 'This operation needs the API key of a tenant.'
  return undefined
}

/**
 * Throws `permission_missing` if the body has what the role of the member may not send, or that of
 * the member who made the key (D-884).
 */
export function assertBodyOfCaller(
  { role, maker_role }: Caller,
  id: Route['id'],
  body: unknown,
): void {
  const bounds = role ?? maker_role
  if (bounds !== undefined) assertBodyOfRole(bounds, id, body)
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
