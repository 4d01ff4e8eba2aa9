/** Who has signed in, and what the role may do. */

import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Acting, actFor, setTenantHeader, useActing } from './acting.ts'
import { answered, portal } from './client.ts'
import { Problem } from './problem.ts'
import type { Session } from './types.ts'

const RETRIES = 2

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A page that is opened reads anew, so that its calls are those that it shows.
      staleTime: 0,
      // What the server has decided stays so; only what did not arrive is asked for again.
      retry: (failures, error) =>
        failures < RETRIES && error instanceof Problem && [0, 502, 503, 504].includes(error.status),
    },
  },
})

/** Null where no one has signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async (): Promise<Session | null> => {
    try {
      const session = await answered(portal.GET('/session'))
      setTenantHeader(session.tenant_header)
      return session
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
})

export const useSession = () => useQuery(sessionQuery)

/** Whether the member's role may call the operation. */
export function useMay(): (operation: string) => boolean {
  const { data } = useSession()
  return (operation) => data?.operations.includes(operation) ?? false
}

/** Everything that was read belongs to a session that has ended. */
export async function endSession(): Promise<void> {
  await answered(portal.DELETE('/session')).catch(() => undefined)
  actFor(undefined)
  queries.clear()
  queries.setQueryData(sessionQuery.queryKey, null)
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

/** Chooses the tenant to act for, or leaves it: what was read belongs to another one. */
export function changeTenant(tenant: Acting | undefined): void {
  actFor(tenant)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}
