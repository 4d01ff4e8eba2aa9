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

const optionsOf = ({ tenant_id }: Person) => ({ headers: forTenant(tenant_id) })

export const identificationsOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('identifications', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.identifications.list(person.user.id, { limit: MOST }, optionsOf(person)),
      )
      return data
    },
  })

export const filesOf = (person: Person, { id: identification_id }: Identification) =>
  queryOptions({
    queryKey: [...keyOf('files', person), identification_id],
    queryFn: async () => {
      const { data } = await answered(
        issuing.identifications.listFiles(person.user.id, identification_id, {}, optionsOf(person)),
      )
      return data
    },
  })

/** The bytes of a file. */
export async function readFile(
  person: Person,
  { id: identification_id }: Identification,
  file_id: string,
): Promise<Blob> {
  const { user } = person
  const asked = issuing.identifications.browseFile(
    user.id,
    identification_id,
    file_id,
    optionsOf(person),
  )
  return (await answered(asked)).blob()
}

export const kycRequestsOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('kyc', person),
    queryFn: async () => {
      const equal = { field: 'user_id', operator: 'eq' } as const
      const filter = { ...equal, values: [person.user.id] }
      const { data } = await answered(
        issuing.kyc.searchRequests({ filters: [filter] }, optionsOf(person)),
      )
      return data
    },
  })

export const statusChangesOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('status_changes', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.users.listStatusChanges(person.user.id, {}, optionsOf(person)),
      )
      return data
    },
  })

export const linkedUsersOf = (person: Person) =>
  queryOptions({
    queryKey: keyOf('linked', person),
    queryFn: async () => {
      const { data } = await answered(
        issuing.users.listLinkedUsers(person.user.id, {}, optionsOf(person)),
      )
      return data
    },
  })
