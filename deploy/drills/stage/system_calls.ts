/** The system calls that the filter of a unit allows. */

import { DrillFault } from '../fault.ts'

/**
 * `unit` is the text of the unit, `sets` what `systemd-analyze syscall-filter` prints: every set
 * with its members, which may be other sets. Later lines of the filter go on from earlier ones.
 */
export function allowedCalls(unit: string, sets: string): Set<string> {
  const members = membersOf(sets)
  const allowed = new Set<string>()
  for (const [, not, words = ''] of unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)) {
    const named = words.trim().split(/\s+/)
    for (const call of named.flatMap((word) => expanded(word, members))) {
      if (not === '~') allowed.delete(call)
      else allowed.add(call)
    }
  }
  // The filter of systemd has this set whether it is named or not.
  for (const call of expanded('@default', members)) allowed.add(call)
  return allowed
}

function membersOf(sets: string): Map<string, string[]> {
  const members = new Map<string, string[]>()
  let current: string[] = []
  for (const line of sets.split('\n')) {
    const word = line.trim()
    if (line.startsWith('@')) {
      current = []
      members.set(word, current)
    } else if (/^@?[\w-]+$/.test(word)) current.push(word)
  }
  return members
}

function expanded(word: string, members: ReadonlyMap<string, string[]>): string[] {
  if (!word.startsWith('@')) return [word]
  const list = members.get(word)
  if (list === undefined) throw new DrillFault(`systemd knows no set of system calls ${word}`)
  return list.flatMap((each) => expanded(each, members))
}
