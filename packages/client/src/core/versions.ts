/** The versions of the objects that were answered. */

const versions = new WeakMap<object, string>()

/** A version is of the object, not of its bytes: a proxy that compresses makes the tag a weak one. */
const strong = (tag: string): string => tag.replace(/^W\//, '')

/** Keeps the version that an answer states of its object. */
export function noteVersion<Result>(answer: Result, { headers }: Response): Result {
  const tag = headers.get('etag')
  if (tag !== null && typeof answer === 'object' && answer !== null) {
    versions.set(answer, strong(tag))
  }
  return answer
}

/** Whether a call has answered the version of this object. */
export const hasVersion = (answer: object): boolean => versions.has(answer)

/**
 * The version of an object as a call has answered it, for `ifMatch`. Throws for what has none, as
 * an item of a list or a copy: without a version a change would be made of whatever there is.
 */
export function versionOf(answer: object): string {
  const version = versions.get(answer)
  if (version === undefined) throw new TypeError('This is no object that a call has answered.')
  return version
}

/** Gives a copy the version of the answer that it is of, if that has one. */
export function sameVersion<Copy>(answer: object, copy: Copy): Copy {
  const version = versions.get(answer)
  if (version !== undefined && typeof copy === 'object' && copy !== null) {
    versions.set(copy, version)
  }
  return copy
}
