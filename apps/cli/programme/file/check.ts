/** A programme read of its file: everything that is wrong with it at once, by line and column. */

import { readFileSync, statSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { toAlpha3 } from '#lib/country.ts'
import { isCleanText } from '#lib/text.ts'
import { Fault } from '../fault.ts'
import {
  isMembers,
  LIMITS,
  LISTS,
  type Members,
  type Programme,
  SECTIONS,
  type Value,
} from '../kinds.ts'
import { entriesOf, normalised } from '../normal.ts'
import type { Schema } from '../schema.ts'
import { visible } from '../words.ts'
import { BYTES_MAX, type FileFault, readYaml, type Source, step } from './yaml.ts'

/** Lines that are printed; a file of another kind has a fault in each of its lines. */
const FAULTS_MAX = 50

/** Throws a Fault with a line for each fault: `FILE:LINE:COLUMN: what is wrong`. */
export function readProgramme(path: string, schema: Schema): Programme {
  return programmeOf(textOf(path), schema, path)
}

/** The same for the text of a file; `path` is what its faults call it. */
export function programmeOf(text: string, schema: Schema, path: string): Programme {
  if (/^\s*> bezant@/.test(text)) {
    throw new Fault(`${path} begins with what npm prints: export with npm run -s, or with --out`)
  }
  const { source, faults } = readYaml(text)
  if (source === undefined) throw faultOf(path, faults)
  const found = [...faultsOfSchema(source, schema), ...faultsOfContent(source)]
  if (found.length > 0) throw faultOf(path, found)
  const { settings, ...rest } = membersOf(source.value)
  const sections = SECTIONS.filter((section) => isMembers(rest[section])).map(
    (section) => [section, entriesOf(section, membersOf(rest[section]))] as const,
  )
  return {
    settings: isMembers(settings) ? normalised('settings', settings) : undefined,
    sections: new Map(sections),
  }
}

function textOf(path: string): string {
  try {
    const { size } = statSync(path)
    if (size > BYTES_MAX) throw new Fault(`${path} has more than ${BYTES_MAX} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof Fault) throw error
    if (error instanceof TypeError) throw new Fault(`${path} is not text in UTF-8`)
    const { code = 'error' } = error as NodeJS.ErrnoException // Of the file system.
    const reasons: Record<string, string> = { ENOENT: 'does not exist', EISDIR: 'is a folder' }
    throw new Fault(`${path} ${reasons[code] ?? `cannot be read (${code})`}`)
  }
}

function faultOf(path: string, faults: readonly FileFault[]): Fault {
  const sorted = [...faults].sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = sorted
    .slice(0, FAULTS_MAX)
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${visible(message)}`)
  const more = sorted.length - lines.length
  return new Fault([...lines, ...(more > 0 ? [`and ${more} more`] : [])])
}

function faultsOfSchema({ value, placeOf }: Source, schema: Schema): FileFault[] {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const isValid = ajv.compile(schema)
  if (isValid(value)) return []
  return (
    (isValid.errors ?? [])
      .filter(({ keyword }) => keyword !== 'propertyNames')
      // Named one by one below.
      .filter((error) => error.keyword !== 'uniqueItems' || !isOfProduct(error.instancePath))
      .map((error) => {
        const { instancePath, params, propertyName } = error
        const key: unknown = params['additionalProperty'] ?? propertyName
        const place =
          typeof key === 'string'
            ? placeOf(instancePath + step(key), 'key')
            : placeOf(instancePath, error.keyword === 'required' ? 'key' : 'value')
        return { ...place, message: wordsOf(error, instancePath, value) }
      })
  )
}

const isOfProduct = (pointer: string): boolean => pointer.startsWith(step('card_products'))

function wordsOf(error: ErrorObject, pointer: string, root: Value): string {
  const { keyword, params, message = '', propertyName } = error
  const name = nameAt(pointer)
  switch (keyword) {
    case 'additionalProperties':
      return `${params['additionalProperty']} is unknown here`
    case 'required':
      return `${name} lacks ${params['missingProperty']}`
    case 'type':
      return `${name} must be ${typesOf(params['type'])}${hintOf(params['type'], pointer, root)}`
    case 'enum':
    case 'const': {
      const values: unknown[] = params['allowedValues'] ?? [params['allowedValue']]
      return `${name} must be ${values.filter((value) => value !== null).join(', ')}`
    }
    case 'pattern':
      if (String(params['pattern']).includes('env:')) {
        // What is there may be the secret itself: it is not repeated.
        return `${name} must be a reference such as \${env:NAME}: the file has no secrets`
      }
      return `${name} must have the form ${params['pattern']}`
    case 'uniqueItems':
      return `${name} has the same twice`
    default:
      return `${propertyName === undefined ? name : 'a name'} ${message}`
  }
}

const KINDS_OF_VALUES: Readonly<Record<string, string>> = {
  ...{ string: 'text', object: 'members with values', array: 'a list', null: 'null' },
  ...{ integer: 'a whole number', number: 'a number', boolean: 'true or false' },
}

const typesOf = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => KINDS_OF_VALUES[String(type)] ?? String(type))
    .join(' or ')

/** YAML reads 5411 as a number, and 0742 as 742. */
function hintOf(types: unknown, pointer: string, root: Value): string {
  const isText = [types].flat().includes('string')
  return isText && typeof valueAt(pointer, root) === 'number' ? ': write it in quotes' : ''
}

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The name of a member; of an item of a list, or an entry that is a number, with what it is in. */
function nameAt(pointer: string): string {
  const [above = '', name = 'the file'] = ['', ...keysOf(pointer)].slice(-2)
  return /^\d+$/.test(name) ? `${above} ${name}` : name
}

function valueAt(pointer: string, root: Value): Value | undefined {
  let value: Value | undefined = root
  for (const key of keysOf(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined
    // An array has its indices as members too.
    value = (value as Members)[key]
  }
  return value
}

/** What the schema does not say: references, countries, MCCs, what is there twice. */
function faultsOfContent({ value, placeOf }: Source): FileFault[] {
  const root = membersOf(value)
  const faults: FileFault[] = []
  const add = (pointer: string, message: string) => faults.push({ ...placeOf(pointer), message })
  const eachEntry = (section: string, check: (entry: Members, pointer: string) => void) => {
    for (const [name, entry] of Object.entries(membersOf(root[section]))) {
      if (isMembers(entry)) check(entry, step(section) + step(name))
    }
  }
  const eachText = (
    list: Value | undefined,
    at: string,
    check: (text: string) => string | false,
  ) => {
    const seen = new Set<string>()
    for (const [index, text] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof text !== 'string') continue
      const repeated = seen.has(text) && `${text} is there twice`
      const message = check(text) || repeated
      seen.add(text)
      if (message) add(at + step(index), message)
    }
  }
  const country = (text: string) =>
    toAlpha3(text) === undefined && `${text} is not a country of ISO 3166-1`
  const mcc = (text: string) => !/^\d{4}$/.test(text) && `${text} is not four digits`

  const issuing = step('settings') + step('allowed_issuing_countries')
  eachText(membersOf(root['settings'])['allowed_issuing_countries'], issuing, country)
  eachEntry('allowed_countries', ({ country_codes }, at) =>
    eachText(country_codes, at + step('country_codes'), country),
  )
  eachEntry('allowed_mccs', ({ mccs }, at) => eachText(mccs, at + step('mccs'), mcc))
  eachEntry('webhooks', ({ events }, at) => eachText(events, at + step('events'), () => false))
  eachEntry('card_products', (product, at) => {
    for (const list of LISTS) {
      const name = product[list]
      const fault = typeof name === 'string' && referenceFault(root, list, name)
      if (fault) add(at + step(list), fault)
    }
    for (const limit of LIMITS) {
      eachText(product[limit], at + step(limit), (name) => referenceFault(root, limit, name))
    }
  })
  return faults
}

function referenceFault(root: Members, section: string, name: string): string | false {
  if (!isCleanText(name)) return 'has characters that cannot be stored'
  return !Object.hasOwn(membersOf(root[section]), name) && `${section} has no ${name}`
}

const membersOf = (value: Value | undefined): Members => (isMembers(value) ? value : {})
