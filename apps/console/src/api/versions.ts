/** The versions of the objects that were answered, which a change of them demands (D-1092). */

import { Problem } from './problem.ts'

const versions = new WeakMap<object, string>()

/** A version is of the object, not of its bytes: a proxy that compresses makes the tag a weak one. */
const strong = (tag: string): string => tag.replace(/^W\//, '')

export function noteVersion<Data>(data: Data, { headers }: Response): Data {
  const tag = headers.get('etag')
  if (tag !== null && typeof data === 'object' && data !== null) versions.set(data, strong(tag))
  return data
}

/** `copy` is the same object, in the shape in which pages have it. */
export function sameVersion<Copy>(of: object, copy: Copy): Copy {
  const version = versions.get(of)
  if (version !== undefined && typeof copy === 'object' && copy !== null)
    versions.set(copy, version)
  return copy
}

export type Match = { 'if-match'?: string }

/** The header by which a change is made of this version alone. */
export function matchOf(item: object): Match {
  const version = versions.get(item)
  return version === undefined ? {} : { 'if-match': version }
}

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
  let isRead = versions.has(item)
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
