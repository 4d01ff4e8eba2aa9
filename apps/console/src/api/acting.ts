/**
 * The tenant for which a member of the operator's team acts (D-576): in the address of a page, kept
 * while the tab is open, and sent with each call of a tenant's operation.
 */

import { useSyncExternalStore } from 'react'
import { keep, keptJson } from './storage.ts'

/** The name is '' until it is read, as after a link was opened. */
export type Acting = Readonly<{ id: string; name: string }>

const KEPT = 'bezant.acting'
const OF_OPERATOR = /^\/v1\/operator\//

const listeners = new Set<() => void>()
let header: string | undefined
/** Members of a tenant choose none, also where an address names one. */
let mayChoose = true
let acting: Acting | undefined = keptActing()

function keptActing(): Acting | undefined {
  const { id, name } = Object(keptJson('tab', KEPT)) as Partial<Acting>
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
}

/** Undefined if none is chosen. */
export function actFor(tenant: Acting | undefined): void {
  acting = tenant && { id: tenant.id, name: tenant.name }
  keep('tab', KEPT, acting && JSON.stringify(acting))
  for (const listener of listeners) listener()
}

/** The header's name, which the session has; members of a tenant have none and choose none. */
export function setTenantHeader(name: string | undefined): void {
  header = name
  mayChoose = name !== undefined
  if (!mayChoose && acting) actFor(undefined)
}

export const presentActing = (): Acting | undefined => acting

/** Whether an address names another tenant than the present one. */
export const isOtherTenant = (id: string): boolean => mayChoose && id !== acting?.id

export function hearActing(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useActing = (): Acting | undefined => useSyncExternalStore(hearActing, presentActing)

/** The header of a call for a tenant, whichever is chosen; none for one that is the member's own. */
export const forTenant = (id: string | undefined): Record<string, string> =>
  header === undefined || id === undefined ? {} : { [header]: id }

/** The header of a call to this path; none if it is not about the chosen tenant. */
export function actingHeader(path: string): readonly [name: string, value: string] | undefined {
  const isOfTenant = !path.startsWith('/portal/') && !OF_OPERATOR.test(path)
  return header !== undefined && acting && isOfTenant ? [header, acting.id] : undefined
}

/** The header by which a request names a tenant, for the command that repeats it. */
export function tenantIn(headers: Headers): { tenant?: string } {
  const value = header === undefined ? null : headers.get(header)
  return value === null ? {} : { tenant: `${header}: ${value}` }
}
