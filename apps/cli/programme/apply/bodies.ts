/**
 * The body that is sent for an action: names become ids, and a member that is cleared null. Pure.
 */

import type { Members, Value } from '../../kit/values.ts'
import { KINDS, LIMITS, LISTS, type Limit, listIdMember, type Section } from '../kinds.ts'
import type { Action } from '../plan/plan.ts'

/** The id of what a section has by that name. */
export type IdOf = (section: Section, name: string) => string

type Body = { [member: string]: Value }

/** The body that makes the object; its links to limits and its status have requests of their own. */
export function newBody({ section, name, wanted = {} }: NewEntry, idOf: IdOf): Members {
  const { status: _, ...entry } = wanted
  const members = section === 'card_products' ? productBody(entry, idOf) : entry
  return { [KINDS[section].name_member]: name, ...members }
}

export type NewEntry = Action & { section: Section }

function productBody(entry: Members, idOf: IdOf): Members {
  const left = new Set<string>([...LISTS, ...LIMITS])
  const own = Object.entries(entry).filter(([name]) => !left.has(name))
  const lists = LISTS.filter((list) => typeof entry[list] === 'string').map(
    (list) => [listIdMember(list), idOf(list, String(entry[list]))] as const,
  )
  return Object.fromEntries([...own, ...lists])
}

/** The body of a change; undefined if only links to limits change. */
export function changedBody(
  { section, name, stored, wanted = {}, changes }: Action,
  idOf: IdOf,
): Members | undefined {
  const body: Body = {}
  for (const { member, to = null } of changes) {
    if (section === 'card_products' && isLimit(member)) continue
    const list = section === 'card_products' && LISTS.find((one) => one === member)
    if (list) body[listIdMember(list)] = to === null ? null : idOf(list, String(to))
    else put(body, member, to)
  }
  if (section === 'webhooks') addSecrets(body, wanted)
  if (Object.keys(body).length === 0) return undefined
  // A limit without a description is named by what it limits; that name becomes its description.
  const isUnnamed = stored && KINDS[sectionOf(section)].name_member === 'description'
  if (isUnnamed && !stored.object['description']) body['description'] = name
  return body
}

const sectionOf = (section: Action['section']): Section =>
  section === 'settings' ? 'card_products' : section

export const isLimit = (member: string): member is Limit => LIMITS.some((one) => one === member)

function put(body: Body, member: string, value: Value): void {
  const [first = '', ...rest] = member.split('.')
  const [second] = rest
  if (second === undefined) body[first] = value
  // The value at this name of the body was put there as an object.
  else body[first] = { ...(body[first] as Members | undefined), [second]: value }
}

/** A changed user name needs its password, and headers go with all of their values. */
function addSecrets(body: Body, wanted: Members): void {
  // The body has it as changes have put it there.
  const config = body['config'] as Members | undefined
  if (!config) return
  // The entry has it as it was read.
  const { basic_auth_password, custom_headers } = (wanted['config'] ?? {}) as Members
  body['config'] = {
    ...config,
    ...('basic_auth_username' in config && { basic_auth_password: basic_auth_password ?? null }),
    ...('custom_headers' in config && { custom_headers: custom_headers ?? [] }),
  }
}
