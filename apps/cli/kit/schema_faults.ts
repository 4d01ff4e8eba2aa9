/** What a JSON schema finds wrong in a file, in words and with the place. */

import type { ErrorObject } from 'ajv'
import type { Members, Path, Value } from './values.ts'

/** What is wrong with a member; `of` is what of it the place is. */
export type MemberFault = { path: Path; of?: 'value' | 'name'; message: string }

/** `root` is what was checked; a path begins with `base`, which is where it stands in its file. */
export function schemaFaults(
  errors: readonly ErrorObject[] | null | undefined,
  root: Value,
  base: Path = [],
): MemberFault[] {
  return (
    (errors ?? [])
      // Each name that does not fit has an error of its own.
      .filter(({ keyword }) => keyword !== 'propertyNames')
      .map((error) => {
        const { instancePath, params, propertyName, keyword } = error
        const own = keysOf(instancePath)
        const name: unknown = params['additionalProperty'] ?? propertyName
        const message = wordsOf(error, own, root)
        if (typeof name === 'string') return { path: [...base, ...own, name], of: 'name', message }
        return { path: [...base, ...own], of: keyword === 'required' ? 'name' : 'value', message }
      })
  )
}

function wordsOf(error: ErrorObject, path: readonly string[], root: Value): string {
  const { keyword, params, message = '', propertyName } = error
  const name = propertyName === undefined ? nameOf(path, root) : 'a name'
  const limit = String(params['limit'])
  switch (keyword) {
    case 'additionalProperties':
      return `${params['additionalProperty']} is unknown here`
    case 'required':
      return `${name} lacks ${params['missingProperty']}`
    case 'type':
      return `${name} must be ${typesOf(params['type'])}${hintOf(params['type'], path, root)}`
    case 'enum': {
      const values: unknown[] = params['allowedValues'] ?? []
      return `${name} must be one of ${values.filter((value) => value !== null).join(', ')}`
    }
    case 'const':
      return `${name} must be ${params['allowedValue']}`
    case 'pattern':
      if (String(params['pattern']).includes('env:')) {
        // What is there may be the secret itself: it is not repeated.
        return `${name} must be a reference such as \${env:NAME}: the file has no secrets`
      }
      return `${name} must have the form ${params['pattern']}`
    case 'uniqueItems':
      return `${name} has the same twice`
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return `${name} must have at least ${limit} ${UNITS[keyword]}`
    case 'maxItems':
    case 'maxProperties':
    case 'maxLength':
      return `${name} must have at most ${limit} ${UNITS[keyword]}`
    case 'minimum':
      return `${name} must be at least ${limit}`
    case 'maximum':
      return `${name} must be at most ${limit}`
    default:
      return `${name} ${message}`
  }
}

const UNITS = {
  ...{ minItems: 'of them', minProperties: 'of them', minLength: 'characters' },
  ...{ maxItems: 'of them', maxProperties: 'of them', maxLength: 'characters' },
}

const KINDS_OF_VALUES: Readonly<Record<string, string>> = {
  ...{ string: 'text', object: 'an object', array: 'a list', null: 'null' },
  ...{ integer: 'a whole number', number: 'a number', boolean: 'true or false' },
}

const typesOf = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => KINDS_OF_VALUES[String(type)] ?? String(type))
    .join(' or ')

/** YAML reads 5411 as a number, and 0742 as 742. */
function hintOf(types: unknown, path: readonly string[], root: Value): string {
  const isText = [types].flat().includes('string')
  return isText && typeof valueAt(path, root) === 'number' ? ': write it in quotes' : ''
}

/** The names in a JSON pointer. */
const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The name of a member; of an item of a list, or of a name that is a number, with its list. */
function nameOf(path: readonly string[], root: Value): string {
  const [above = '', name = 'the file'] = ['', ...path].slice(-2)
  if (!/^\d+$/.test(name)) return name
  const isItem = Array.isArray(valueAt(path.slice(0, -1), root))
  return isItem ? `item ${Number(name) + 1} of ${above || 'the file'}` : `${above} ${name}`
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
