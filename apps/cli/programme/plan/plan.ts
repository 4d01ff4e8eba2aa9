/** The actions that make the platform like the file. Pure. */

import type { Schema } from '#lib/openapi.ts'
import { isMembers, type Members, type Value } from '../../kit/values.ts'
import { KINDS, type Programme, SECTIONS, type Section } from '../kinds.ts'
import { normalised } from '../normal.ts'
import { isDisabledByPlatform, type State, type Stored } from '../platform/state.ts'

/** A member that is to be another; undefined if there is none. */
export type MemberChange = { member: string; from: Value | undefined; to: Value | undefined }

export type Action = {
  action: 'create' | 'change' | 'delete'
  section: Section | 'settings'
  name: string
  /** The object as the platform has it. */
  stored: Stored | undefined
  /** Its entry in the file; undefined for a deletion. */
  wanted: Members | undefined
  /** For a change, each member that differs, by its path, such as `auth_settings.atm`. */
  changes: readonly MemberChange[]
}

export type Plan = {
  /** Actions in the order in which they are applied. */
  actions: readonly Action[]
  /** Objects that are on the platform but not in the file, and stay. */
  left_alone: readonly { section: Section; name: string; why: 'not asked' | 'no deletion' }[]
}

export function planOf(
  wanted: Programme,
  state: State,
  schema: Schema,
  { prune }: { prune: boolean },
): Plan {
  const actions: Action[] = []
  const left_alone: Plan['left_alone'][number][] = []
  if (wanted.settings) actions.push(...settingsAction(wanted.settings, state, schema))
  const deletions: Action[] = []
  for (const section of SECTIONS) {
    const entries = wanted.sections.get(section)
    if (!entries) continue
    const stored = state.stored.get(section) ?? []
    const byName = new Map(stored.map((one) => [one.name, one]))
    for (const [name, entry] of entries) {
      actions.push(...entryAction(section, name, entry, byName.get(name), schema))
    }
    for (const one of stored.filter(({ name }) => !entries.has(name))) {
      const why = KINDS[section].can_delete ? 'not asked' : 'no deletion'
      if (prune && why === 'not asked') deletions.push(deletionOf(section, one))
      else left_alone.push({ section, name: one.name, why })
    }
  }
  return { actions: [...actions, ...deletions], left_alone }
}

/** A setting that the file does not state is left as it is (D-832). */
function settingsAction(wanted: Members, { settings }: State, schema: Schema): Action[] {
  const of = schema.properties?.['settings'] ?? {}
  const stated = Object.keys(wanted)
  const from = Object.fromEntries(stated.map((name) => [name, settings[name] ?? null]))
  const changes = changesOf(normalised('settings', from), wanted, of)
  if (changes.length === 0) return []
  const [action, section, name] = ['change', 'settings', ''] as const
  return [{ action, section, name, stored: undefined, wanted, changes }]
}

function entryAction(
  section: Section,
  name: string,
  wanted: Members,
  stored: Stored | undefined,
  schema: Schema,
): Action[] {
  const base = { section, name, stored, wanted }
  if (!stored) return [{ ...base, action: 'create', changes: [] }]
  const { additionalProperties } = schema.properties?.[section] ?? {}
  const of = typeof additionalProperties === 'object' ? additionalProperties : {}
  const { status, ...rest } = wanted
  // The platform has disabled it for a reason: nobody enables it again by a file.
  const compared = isDisabledByPlatform(stored.object)
    ? rest
    : { ...rest, ...(status && { status }) }
  const changes = changesOf(withoutSecrets(stored.entry), withoutSecrets(compared), of)
  return changes.length === 0 ? [] : [{ ...base, action: 'change', changes }]
}

function deletionOf(section: Section, stored: Stored): Action {
  return {
    action: 'delete',
    section,
    name: stored.name,
    stored,
    wanted: undefined,
    changes: [],
  }
}

/** No answer has a secret: whether one has changed is not known. */
function withoutSecrets(entry: Members): Members {
  const { config } = entry
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return entry
  const { basic_auth_password, custom_headers, ...rest } = config as Members
  const headers = (Array.isArray(custom_headers) ? custom_headers : undefined) as
    | Members[]
    | undefined
  const names = headers?.map(({ header_name = '' }) => header_name)
  return { ...entry, config: { ...rest, ...(names && { custom_headers: names }) } }
}

/**
 * Members that differ. One that the file lacks is cleared where it may be absent, and is left as it
 * is where it always has a value (D-832).
 */
function changesOf(from: Members, to: Members, schema: Schema, path = ''): MemberChange[] {
  const names = [...new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(to)])]
  return names.flatMap((name) => {
    const [before, after] = [from[name] ?? undefined, to[name] ?? undefined]
    const member = `${path}${name}`
    const of = schema.properties?.[name] ?? {}
    if (isMembers(after)) return changesOf(isMembers(before) ? before : {}, after, of, `${member}.`)
    if (after === undefined && (before === undefined || !canClear(name, to, of))) return []
    if (after === undefined && isMembers(before) && !isCleared(name, to)) {
      return changesOf(before, {}, of, `${member}.`)
    }
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    return [{ member, from: before, to: after }]
  })
}

const isCleared = (name: string, to: Members): boolean => to[name] === null

/** An object that is not stated has its own members cleared, such as all of `auth_settings`. */
function canClear(name: string, to: Members, { type, properties }: Schema): boolean {
  if (isCleared(name, to)) return true
  return properties !== undefined || [type].flat().includes('null')
}
