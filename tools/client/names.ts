/** Names of the groups and functions of the client library, made from those of the document. */

const words = (text: string) => text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** `insufficient_funds`, `createCard` and `Card products` as names of types. */
export const pascal = (text: string): string => words(text).map(capitalized).join('')

/** `Card products` is `cardProducts`. */
export function groupNameOf(tag: string): string {
  const [first = '', ...others] = words(tag)
  return [first.toLowerCase(), ...others.map(capitalized)].join('')
}

/** Tags whose noun stands for the verb of their operations. */
const VERBS: Readonly<Record<string, string>> = { Simulation: 'simulate', Search: 'search' }
const ENDING = /AsOperator$/

/**
 * The id of the operation without what its group says: the noun after the verb, or the verb where
 * the group is named after it. The whole id where another operation would have the same name.
 */
export function methodNameOf(tag: string, id: string, ids: readonly string[]): string {
  const name = shortened(tag, id)
  return ids.some((other) => other !== id && shortened(tag, other) === name) ? id : name
}

function shortened(tag: string, id: string): string {
  const [verb = '', ...others] = words(id.replace(ENDING, ''))
  const rest = VERBS[tag] === verb ? others : [verb, ...withoutNoun(tag, others)]
  const [first = '', ...last] = rest
  return [first.toLowerCase(), ...last].join('')
}

function withoutNoun(tag: string, rest: readonly string[]): readonly string[] {
  const nouns = [tag, words(tag).at(-1) ?? ''].map((noun) => words(noun).map(singular))
  const found = nouns.find((noun) => noun.every((word, at) => singular(rest[at] ?? '') === word))
  return rest.slice(found?.length ?? 0)
}

const singular = (word: string) => word.toLowerCase().replace(/s$/, '')
