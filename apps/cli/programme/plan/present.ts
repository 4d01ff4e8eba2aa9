/** A plan in words. */

import { visible } from '../../kit/text.ts'
import { isMembers, type Members } from '../../kit/values.ts'
import { KINDS, type Section } from '../kinds.ts'
import { changeText, counted, valueText } from '../words.ts'
import type { Action, Plan } from './plan.ts'
import type { Reach } from './reach.ts'
import type { Tried } from './trial.ts'

export type Reaches = ReadonlyMap<Action, Reach>

const nounOf = (section: Action['section']): string =>
  section === 'settings' ? 'settings of the tenant' : KINDS[section].noun

/** Such as `change card product Everyday`. */
export const actionTitle = ({ action, section, name }: Action): string =>
  visible(`${action} ${nounOf(section)} ${name}`.trimEnd())

const MARKS = { create: '+', change: '~', delete: '-' } as const

/** Members that cannot change once a card number was issued. */
const FIXED = /^(bin|currency|pan_range\.)/

export function planLines({ actions, left_alone }: Plan, reaches: Reaches): string[] {
  const groups = (['create', 'change', 'delete'] as const).flatMap((kind) => {
    const those = actions.filter(({ action }) => action === kind)
    if (those.length === 0) return []
    return ['', `${kind} (${those.length})`, ...those.flatMap((one) => actionLines(one, reaches))]
  })
  const sum = actions.length === 0 ? 'no difference' : sumOf(actions)
  return [...groups.slice(1), ...leftLines(left_alone, groups.length > 0), ...sumLines(sum, groups)]
}

const sumLines = (sum: string, groups: readonly string[]): string[] =>
  groups.length > 0 ? ['', sum] : [sum]

const sumOf = (actions: readonly Action[]): string => {
  const of = (kind: string) => actions.filter(({ action }) => action === kind).length
  return `${of('create')} to create, ${of('change')} to change, ${of('delete')} to delete`
}

function actionLines(action: Action, reaches: Reaches): string[] {
  const { section, name, wanted = {}, changes } = action
  const head = `  ${MARKS[action.action]} ${visible(`${nounOf(section)} ${name}`.trimEnd())}`
  const members =
    action.action === 'create'
      ? memberLines(wanted)
      : changes.map(({ member, from, to }) => `${member}: ${changeText(from, to)}`)
  const reach = reaches.get(action)
  const notes = [...(reach ? [reachText(action, reach)] : []), ...fixedNote(action, reach)]
  return [
    head,
    ...members.map((line) => `      ${line}`),
    ...notes.map((line) => `      (${line})`),
  ]
}

/** Members of objects by their paths, as a change names them. */
function memberLines(members: Members, path = ''): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (isMembers(value)) return memberLines(value, `${path}${name}.`)
    return `${path}${name}: ${valueText(value)}`
  })
}

function reachText({ section }: Action, { cards, has_more, products }: Reach): string {
  const number = has_more ? `more than ${counted(cards, 'card')}` : counted(cards, 'card')
  if (section === 'card_products') return `applies to ${number}`
  if (products.length === 0) return 'no card product has it'
  return `applies to ${number} by ${products.map(visible).join(', ')}`
}

function fixedNote({ section, changes }: Action, reach: Reach | undefined): string[] {
  const fixed = changes.filter(({ member }) => FIXED.test(member))
  if (section !== 'card_products' || fixed.length === 0 || !reach || reach.cards === 0) return []
  return ['the platform refuses it: BIN, range and currency stay once a card was issued']
}

function leftLines(left: Plan['left_alone'], isBehind: boolean): string[] {
  if (left.length === 0) return []
  const why = { 'not asked': '', 'no deletion': ', which the API does not delete' }
  const lines = left.map((one) => {
    return `  = ${visible(`${nounOf(one.section)} ${one.name}`)}${why[one.why]}`
  })
  const asked = left.some((one) => one.why === 'not asked')
  const remedy = asked ? '; --prune deletes what can be deleted' : ''
  return [
    ...(isBehind ? [''] : []),
    `not in the file, left alone (${left.length})${remedy}`,
    ...lines,
  ]
}

/** The same for programs. */
export function planJson({ actions, left_alone }: Plan, reaches: Reaches, tried: readonly Tried[]) {
  return {
    has_difference: actions.length > 0,
    actions: actions.map((one) => ({
      action: one.action,
      section: one.section as Section | 'settings',
      ...(one.section !== 'settings' && { name: one.name }),
      ...(one.action === 'create' && { members: one.wanted }),
      ...(one.action === 'change' && {
        changes: one.changes.map(({ member, from = null, to = null }) => ({ member, from, to })),
      }),
      ...(reaches.has(one) && { applies_to: reaches.get(one) }),
    })),
    left_alone: left_alone.map(({ section, name, why }) => ({
      section,
      name,
      why: why === 'not asked' ? 'NOT_ASKED' : 'CANNOT_BE_DELETED',
    })),
    ...(tried.length > 0 && { backtests: tried }),
  }
}
