/** The programme of a tenant as the platform has it, with the ids that names stand for. */

import type { Api } from '../../kit/api.ts'
import { visible } from '../../kit/text.ts'
import type { Members, Value } from '../../kit/values.ts'
import {
  type Answered,
  KINDS,
  LIMIT_IDS,
  LIMITS,
  LISTS,
  type Limit,
  listIdMember,
  nameOf,
  ownMembers,
  type Programme,
  SECTIONS,
  type Section,
} from '../kinds.ts'
import { normalised } from '../normal.ts'
import { variableName } from './secrets.ts'

export type Stored = { id: string; name: string; object: Answered; entry: Members }

export type State = {
  /** All of them, as the API answers them. */
  settings: Members
  /** Objects in the order of their names, then of their ids. */
  stored: ReadonlyMap<Section, readonly Stored[]>
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

export async function readState(api: Api): Promise<State> {
  const settings = await api.get('/tenantsettings')
  const objects = new Map<Section, Answered[]>()
  for (const section of SECTIONS) {
    const all: Answered[] = []
    for await (const object of api.list(`/${KINDS[section].path}`)) all.push(object)
    objects.set(section, all)
  }
  const names = namesById(objects)
  const taken = new Set<string>()
  const stored = new Map(
    SECTIONS.map((section) => {
      const sorted = (objects.get(section) ?? [])
        .map((object) => ({ id: object.id, name: nameOf(section, object), object }))
        .sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
      const all = sorted.map((one) => {
        const members =
          section === 'webhooks'
            ? webhookOf(one.object, taken)
            : entryOf(section, one.object, names)
        return { ...one, entry: normalised(section, members) }
      })
      return [section, all] as const
    }),
  )
  return { settings, stored }
}

type Names = (section: Section, id: Value | undefined) => string | undefined

function namesById(objects: ReadonlyMap<Section, readonly Answered[]>): Names {
  const found = new Map(
    [...objects].flatMap(([section, all]) =>
      all.map((object) => [`${section} ${object.id}`, nameOf(section, object)] as const),
    ),
  )
  return (section, id) => found.get(`${section} ${id}`)
}

/**
 * The entry of an object as a file has it: references by name, and nothing that the platform makes.
 */
function entryOf(section: Section, object: Answered, names: Names): Members {
  const own = ownMembers(section, object)
  if (section !== 'card_products') return own
  const lists = LISTS.map((list) => [list, names(list, object[listIdMember(list)])] as const)
  const limits = LIMITS.map((limit) => [limit, namesOf(limit, object, names)] as const)
  const named = [...lists, ...limits].filter(([, value]) => value !== undefined)
  return { ...own, ...Object.fromEntries(named) } as Members // None of them is undefined.
}

function namesOf(limit: Limit, object: Answered, names: Names): Value {
  const ids = object[LIMIT_IDS[limit]]
  return (Array.isArray(ids) ? ids : []).flatMap((id: Value) => names(limit, id) ?? [])
}

/** A webhook that the platform has disabled is not so by the programme. */
export const isDisabledByPlatform = ({ status, disabled_reason }: Members): boolean =>
  status === 'DISABLED' && disabled_reason !== 'CLIENT'

/**
 * A webhook with references in the place of its secrets, by names of variables that are not taken.
 */
function webhookOf(object: Answered, taken: Set<string>): Members {
  const { endpoint, config, status } = object
  const { basic_auth_username, custom_headers } = config as Members // The contract of a webhook.
  const reference = (part: string) =>
    `\${env:${freeName(variableName(String(endpoint), part), taken)}}`
  const headers = (Array.isArray(custom_headers) ? custom_headers : []) as Members[]
  return {
    ...ownMembers('webhooks', object),
    status: isDisabledByPlatform(object) ? 'ACTIVE' : (status ?? 'ACTIVE'),
    config: {
      ...(typeof basic_auth_username === 'string' && {
        basic_auth_username,
        basic_auth_password: reference('PASSWORD'),
      }),
      custom_headers: headers.map(({ header_name }) => ({
        header_name: header_name ?? '',
        header_value: reference(String(header_name)),
      })),
    },
  }
}

function freeName(name: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}_${number}`
    if (taken.has(free)) continue
    taken.add(free)
    return free
  }
}

/** A sentence for each name that several objects of a section have. */
export function ambiguities(
  { stored }: State,
  isNamed: (section: Section, name: string) => boolean = () => true,
): string[] {
  return [...stored].flatMap(([section, all]) => {
    const ids = Map.groupBy(all, ({ name }) => name)
    return [...ids]
      .filter(([name, same]) => same.length > 1 && isNamed(section, name))
      .map(([name, same]) => {
        const { noun, name_member } = KINDS[section]
        const them = same.map(({ id }) => id).join(', ')
        const remedy = `give each a ${name_member} of its own`
        return visible(`${noun} ${name} stands for ${same.length} objects (${them}): ${remedy}`)
      })
  })
}

/** The programme that an export writes; `settings` are those that a tenant's key may change. */
export function programmeOf(state: State, settings: readonly string[]): Programme {
  const own = settings.map((name) => [name, state.settings[name] ?? null] as const)
  const sections = [...state.stored].map(([section, all]) => {
    return [section, new Map(all.map(({ name, entry }) => [name, entry]))] as const
  })
  return {
    settings: normalised('settings', Object.fromEntries(own)),
    sections: new Map(sections),
  }
}
