/** A user whose checks are looked at, by members of its tenant or of the operator's team. */

import { queryOptions } from '@tanstack/react-query'
import { forTenant } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import type { Identification, User } from '../../api/types.ts'

/** The tenant is named by members of the operator's team only. */
export type Person = { user: User; tenant_id?: string | undefined }

/** A user has at most 100 identifications, and of KYC requests the newest matter. */
const MOST = 100

/** Values for filters: the API has no operation that lists them. */
export const USER_TYPES = [
  'INDIVIDUAL',
  'BUSINESS',
  'DIRECTOR',
  'SIGNATURE',
  'SHAREHOLDER',
  'SHAREHOLDER_BUSINESS',
] as const satisfies readonly User['user_type'][]

export const USER_STATUSES = [
  'PENDINGIDVERIFICATION',
  'PENDINGKYC',
  'PENDINGKYB',
  'ACTIVE',
  'SUSPENDED',
  'TERMINATED',
] as const satisfies readonly User['status'][]

const keyOf = (name: string, { user, tenant_id }: Person) => [name, tenant_id ?? '', user.id]

export const identificationsOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('identifications', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.GET('/users/{user_id}/identifications', {
          params: { path: { user_id: person.user.id }, query: { limit: MOST } },
          headers: forTenant(person.tenant_id),
        }),
      )
      return data
    },
  })

export const filesOf = (person: Person, { id: identification_id }: Identification) =>
  queryOptions({
    queryKey: [...keyOf('files', person), identification_id],
    queryFn: async () => {
      const path = { user_id: person.user.id, identification_id }
      const { data } = await answered(
        issuing.GET('/users/{user_id}/identifications/{identification_id}/files', {
          params: { path },
          headers: forTenant(person.tenant_id),
        }),
      )
      return data
    },
  })

/** The bytes of a file. */
export const readFile = (
  { user, tenant_id }: Person,
  { id: identification_id }: Identification,
  file_id: string,
): Promise<Blob> =>
  answered(
    issuing.GET('/users/{user_id}/identifications/{identification_id}/files/{file_id}:browse', {
      params: { path: { user_id: user.id, identification_id, file_id } },
      headers: forTenant(tenant_id),
      parseAs: 'blob',
    }),
  )

export const kycRequestsOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('kyc', person),
    queryFn: async () => {
      const equal = { field: 'user_id', operator: 'eq' } as const
      const filter = { ...equal, values: [person.user.id] }
      const { data } = await answered(
        issuing.POST('/users/kyc:search', {
          body: { filters: [filter] },
          headers: forTenant(person.tenant_id),
        }),
      )
      return data
    },
  })

export const statusChangesOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('status_changes', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.GET('/users/{id}/statuschanges', {
          params: { path: { id: person.user.id } },
          headers: forTenant(person.tenant_id),
        }),
      )
      return data
    },
  })

export const linkedUsersOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('linked', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.GET('/users/{id}:getLinkedRelationships', {
          params: { path: { id: person.user.id } },
          headers: forTenant(person.tenant_id),
        }),
      )
      return data
    },
  })
