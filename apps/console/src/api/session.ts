/** The member who has signed in, and what the role may do. */

import { QueryClient, queryOptions, replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { sameVersion } from '#client/core/versions.ts'
import { type Acting, actFor, setTenantHeader, useActing } from './acting.ts'
import { answered, portal } from './client.ts'
import { Problem } from './problem.ts'
import { hearCallsOfSession } from './session_calls.ts'
import {
  beginEra,
  forgetMember,
  hearTabs,
  ownSession,
  presentEra,
  presentLapse,
  takeSession,
  tellOfChange,
} from './standing.ts'
import type { Session } from './types.ts'

const RETRIES = 2

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A page that is opened reads anew, so that its calls are those that it shows.
      staleTime: 0,
      // An answer that is the same as before keeps its identity, with the version read last.
      structuralSharing: (before, next) => {
        const shared: unknown = replaceEqualDeep(before, next)
        return typeof next === 'object' && next !== null ? sameVersion(next, shared) : shared
      },
      // A decision of the server stays so; only a request without an answer is sent again.
      retry: (failures, error) =>
        failures < RETRIES &&
        error instanceof Problem &&
        // A wait that the server names is counted down on the page.
        error.wait === undefined &&
        [0, 502, 503, 504].includes(error.status),
    },
  },
})

const FRESH_MS = 60_000
/** While the server does not answer. */
const AGAIN_MS = 5_000

/** Null if no one has signed in. If the session changes while it is read, it is read again. */
async function readSession(): Promise<Session | null> {
  for (;;) {
    const era = presentEra()
    const read = await readOnce()
    if (era === presentEra()) return takeSession(read)
  }
}

async function readOnce(): Promise<Session | null> {
  try {
    const session = await answered(portal.sessions.get())
    if (ownSession() === undefined) setTenantHeader(session.tenant_header)
    return session
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null
    throw error
  }
}

/** Null if no one has signed in, which is believed no longer than it takes to ask again. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: ({ state }) => (state.data ? FRESH_MS : 0),
  refetchOnWindowFocus: 'always',
  // One that could not be read stays, and with it the page; it is read as soon as that is possible.
  refetchInterval: ({ state }) => (state.status === 'error' && state.data ? AGAIN_MS : false),
  queryFn: readSession,
})

export const useSession = () => useQuery(sessionQuery)

/** Whether the member's role may call the operation. */
export function useMay(): (operation: string) => boolean {
  const { data } = useSession()
  return (operation) => data?.operations.includes(operation) ?? false
}

/** Nothing that was read or chosen with one session is there for the next one. */
function forgetSession(): void {
  forgetMember()
  actFor(undefined)
  queries.clear()
}

/** A page outside of those of members is opened: the next of theirs may be of another member. */
export function leaveMember(): void {
  if (ownSession() === undefined) return
  forgetMember()
  queries.removeQueries({ queryKey: sessionQuery.queryKey })
}

/**
 * Looks who has the session of the browser. Once it is again that of the member, everything on the
 * page is read anew. If no page of a member is shown, the session alone is read anew.
 */
export async function lookAtSession(): Promise<void> {
  beginEra()
  const { queryKey } = sessionQuery
  if (ownSession() === undefined) return queries.resetQueries({ queryKey })
  const hadLapsed = presentLapse() !== undefined
  await queries.cancelQueries({ queryKey })
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (hadLapsed && presentLapse() === undefined) await queries.invalidateQueries()
}

hearCallsOfSession({
  changed() {
    // The dialog on a page of a member whose session has ended looks by itself.
    if (presentLapse() === undefined) forgetSession()
    tellOfChange()
  },
  doubted() {
    if (ownSession() !== undefined && presentLapse() === undefined) void lookAtSession()
  },
})
hearTabs(() => void lookAtSession())

/** Ends the session. One that could not be ended stays, and the page with it. */
export async function endSession(): Promise<boolean> {
  try {
    await answered(portal.sessions.signOut())
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) {
      await lookAtSession()
      return false
    }
  }
  forgetSession()
  tellOfChange()
  return true
}

/** The currency that forms begin with: the tenant's own, where the member has one. */
export function useCurrency(): string {
  const { data } = useSession()
  return data?.tenant?.settings.default_currency ?? 'USD'
}

/** Whether pages of a tenant have one: the member's own, or that which the operator acts for. */
export function useHasTenant(): boolean {
  const { data } = useSession()
  const acting = useActing()
  return data?.tenant !== undefined || acting !== undefined
}

/** The name of that tenant. */
export function useTenantName(): string | undefined {
  const { data } = useSession()
  const acting = useActing()
  return data?.tenant?.name ?? acting?.name
}

/** Chooses the tenant to act for, or leaves it: everything that was read belongs to another one. */
export function changeTenant(tenant: Acting | undefined): void {
  actFor(tenant)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}
