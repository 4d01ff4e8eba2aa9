/**
 * Kinds of variables: the shape of a value, and the words for a value of another shape.
 * `description` completes the sentence "NAME must be …" and `remedy` says what to do; a value that
 * is `writeOnly` is never repeated, and one that is `inFile` may be in a file that NAME_FILE names.
 */

import { Type } from 'typebox'
import { addressOf } from './shapes.ts'

type Words = { description: string; remedy: string }
export const leftOut = (usual: string | number) => `change it or leave it out for ${usual}`
const listed = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Without a usual word the variable has no value where it is left out. */
export const Choice = <const Word extends string>(words: readonly Word[], usual?: Word) =>
  Type.Unsafe<Word>({
    type: 'string',
    enum: words,
    ...(usual !== undefined && { default: usual }),
    description: listed(words),
    remedy: `choose one or leave it out${usual === undefined ? '' : ` for ${usual}`}`,
  })

export const Whole = (bounds: { minimum: number; maximum: number; default: number }) =>
  Type.Integer({
    ...bounds,
    description: `a whole number from ${bounds.minimum} to ${bounds.maximum}`,
    remedy: leftOut(bounds.default),
  })
export const Text = Type.Optional(Type.String())
export const Hidden = Type.Optional(Type.String({ writeOnly: true, inFile: true }))
/** `isRight` is a keyword of read.ts for conditions that a pattern cannot express. */
export const Shaped = (
  isRight: (text: string) => boolean,
  words: Words & { writeOnly?: true; inFile?: true },
) => Type.Optional(Type.String({ ...words, isRight }))
export const isAddress = (text: string) => addressOf(text) !== undefined
