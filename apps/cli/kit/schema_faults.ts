/** Faults that a JSON schema finds in a file or in arguments, in words and with their place. */

import type { ErrorObject } from 'ajv'
import type { Members, Path, Value } from './values.ts'

/** A fault of a member; `of` says whether its value or its name is at fault. */
export type MemberFault = { path: Path; of?: 'value' | 'name'; message: string }

type Errors = readonly ErrorObject[] | null | undefined
type SchemaFault = {
  path: string[]
  of: 'value' | 'name'
  /** The rest of a sentence that begins with the name of the member at the path. */
  words: string
  /** The words are of the name itself. */
  isOfName: boolean
  /** Another form of the value may do as well. */
  isAlternative: boolean
}

/** `root` is what was checked; a path begins with `base`, which is where it stands in its file. */
export function schemaFaults(errors: Errors, root: Value, base: Path = []): MemberFault[] {
  return foundIn(errors, root).map(({ path, of, words, isOfName }) => ({
    path: [...base, ...path],
    of,
    message: `${isOfName ? 'a name' : nameOf(path, root)} ${words}`,
  }))
}

/** A sentence for each argument, which has no line: its whole path names it. */
export function argumentFaults(errors: Errors, root: Value): string[] {
  const byName = Map.groupBy(foundIn(errors, root), ({ path }) => path.join('.') || 'the call')
  return [...byName].map(([name, found]) => {
    const words = new Set(found.map((one) => one.words))
    const isChoice = found.some(({ isAlternative }) => isAlternative)
    return `${name} ${[...words].join(isChoice ? ', or ' : ', and ')}`
  })
}

function foundIn(errors: Errors, root: Value): SchemaFault[] {
  return (
    (errors ?? [])
      // Each name that does not fit, and each alternative, has an error of its own.
      .filter(({ keyword }) => keyword !== 'propertyNames' && keyword !== 'anyOf')
      .map((error) => {
        const { instancePath, schemaPath, params, propertyName, keyword } = error
        const own = keysOf(instancePath)
        const name: unknown = params['additionalProperty'] ?? propertyName
        const isNamed = typeof name === 'string'
        return {
          path: isNamed ? [...own, name] : own,
          of: isNamed || keyword === 'required' ? 'name' : 'value',
          words: wordsOf(error, valueAt(own, root)),
          isOfName: propertyName !== undefined,
          isAlternative: schemaPath.includes('/anyOf/'),
        }
      })
  )
}

function wordsOf({ keyword, params, message = 'is wrong' }: ErrorObject, value?: Value): string {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'additionalProperties':
      return 'is unknown here'
    case 'required':
      return `lacks ${params['missingProperty']}`
    case 'type':
      return `must be ${typesOf(params['type'])}${hintOf(params['type'], value)}`
    case 'enum': {
      const values: unknown[] = params['allowedValues'] ?? []
      return `must be one of ${values.filter((one) => one !== null).join(', ')}`
    }
    case 'const':
      return `must be ${params['allowedValue']}`
    case 'pattern':
      if (String(params['pattern']).includes('env:')) {
        // The value may be the secret itself: it is not repeated.
        return 'must be a reference such as ${env:NAME}: the file has no secrets'
      }
      return `must have the form ${params['pattern']}`
    case 'format':
      if (params['format'] === 'not-blank') return 'must not be blank'
      return `must be a ${params['format']}`
    case 'uniqueItems':
      return 'has the same twice'
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return `must have at least ${limit} ${UNITS[keyword]}`
    case 'maxItems':
    case 'maxProperties':
    case 'maxLength':
      return `must have at most ${limit} ${UNITS[keyword]}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    default:
      return message
  }
}

const UNITS = {
  minItems: 'of them',
  minProperties: 'of them',
  minLength: 'characters',
  maxItems: 'of them',
  maxProperties: 'of them',
  maxLength: 'characters',
}

const KINDS_OF_VALUES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  array: 'a list',
  null: 'null',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
}

const typesOf = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => KINDS_OF_VALUES[String(type)] ?? String(type))
    .join(' or ')

/** YAML reads 5411 as a number, and 0742 as 742. */
function hintOf(types: unknown, value: Value | undefined): string {
  const isText = [types].flat().includes('string')
  return isText && typeof value === 'number' ? ': write it in quotes' : ''
}

/** The names in a JSON pointer. */
const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The name of a member; an item of a list, or a name that is a number, is given with the list. */
function nameOf(path: readonly string[], root: Value): string {
  const [above = '', name = 'the file'] = ['', ...path].slice(-2)
  if (!/^\d+$/.test(name)) return name
  const isItem = Array.isArray(valueAt(path.slice(0, -1), root))
  return isItem
    ? `item ${Number(name) + 1} of ${above || 'the file'}`
    : `${above} ${name}`.trimStart()
}

function valueAt(path: readonly string[], root: Value): Value | undefined {
  let value: Value | undefined = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    // An array has its indices as members too.
    value = (value as Members)[key]
  }
  return value
}
