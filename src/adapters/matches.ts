/** Matches as providers of watchlists write them: bounded lines, each entry once. */

import type { Match } from '#issuing/verification/provider.ts'

const TEXT_LENGTH = 300

/** One line of what another system wrote. */
export const line = (text: string) =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_LENGTH) || '(empty)'

/** Each entry once, as it was found most alike; the most alike first. */
export function distinct(matches: readonly Match[]): Match[] {
  const best = new Map<string, Match>()
  for (const match of matches) {
    const key = JSON.stringify([match.subject_id, match.list, match.listed_id])
    const before = best.get(key)
    if (!before || match.score > before.score) best.set(key, match)
  }
  return [...best.values()].sort((one, other) => other.score - one.score)
}
