/** Changes of the version of an object that the member has seen (D-1092). */

import { hasVersion, versionOf } from '#client/core/versions.ts'
import { Problem } from './problem.ts'

export type Match = { ifMatch?: string }

/** The option by which a change is made of this version alone. */
export const matchOf = (item: object): Match =>
  hasVersion(item) ? { ifMatch: versionOf(item) } : {}

/** Whether a change was refused since the object has another version. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Problem && error.status === 412

/** An object that is busy has another version at each look. */
const MOST_TRIES = 5

type Demanded<Item extends object, Answer> = {
  /** The object as the member has seen it. */
  item: Item
  /** Reads the same object anew. */
  read: () => Promise<Item>
  /** The change of that version. */
  save: (match: Match, item: Item) => Promise<Answer>
  /** Whether the member has to see the other version before the change is made. */
  isOther: (fresh: Item) => boolean
}

/**
 * Changes the version that the member has seen. If the other version has only changed something
 * else, the change is made; otherwise this rejects with `changed_meanwhile`.
 */
export async function changeSeen<Item extends object, Answer>(
  demanded: Demanded<Item, Answer>,
): Promise<Answer> {
  const { read, save, isOther } = demanded
  let { item } = demanded
  let outdated: unknown = new Problem(412, { code: 'changed_meanwhile' })
  // An item of a list, or of another object, has no version yet.
  let isRead = hasVersion(item)
  for (let tries = 1; ; tries++) {
    if (!isRead) item = await read()
    if (!isRead && isOther(item)) throw outdated
    try {
      return await save(matchOf(item), item)
    } catch (error) {
      if (!isOutdated(error) || tries === MOST_TRIES) throw error
      outdated = error
      isRead = false
    }
  }
}
