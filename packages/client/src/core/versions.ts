/** The versions of the objects that were answered. */

const versions = new WeakMap<object, string>()

/** Keeps the version that an answer states of its object. */
export function noteVersion<Result>(answer: Result, { headers }: Response): Result {
  const version = headers.get('etag')
  if (version !== null && typeof answer === 'object' && answer !== null) {
    versions.set(answer, version)
  }
  return answer
}

/**
 * The version of an object as a call has answered it, for `ifMatch`. Throws for what has none, as
 * an item of a list or a copy: without a version a change would be made of whatever there is.
 */
export function versionOf(answer: object): string {
  const version = versions.get(answer)
  if (version === undefined) throw new TypeError('This is no object that a call has answered.')
  return version
}
