/** A programme read of its file: everything that is wrong with it at once, by line and column. */

import { Ajv } from 'ajv'
import { toAlpha3 } from '#lib/country.ts'
import type { Schema } from '#lib/openapi.ts'
import { isBlank } from '#lib/surround.ts'
import { isCleanText } from '#lib/text.ts'
import { Fault } from '../../kit/faults.ts'
import { textOf } from '../../kit/files.ts'
import { type MemberFault, schemaFaults } from '../../kit/schema_faults.ts'
import { isMembers, type Members, type Path, type Value } from '../../kit/values.ts'
import { fileFault, readYaml } from '../../kit/yaml.ts'
import { LIMITS, LISTS, type Programme, SECTIONS } from '../kinds.ts'
import { entriesOf, normalised } from '../normal.ts'

/** A file of the greatest programme, with 1,000 entries a section, is far below. */
const BYTES_MAX = 4 * 1024 * 1024

/** Throws a FileFault with a line for each fault, or a Fault where it cannot be read. */
export function readProgramme(path: string, schema: Schema): Programme {
  return programmeOf(textOf(path, BYTES_MAX), schema, path)
}

/** The same for the text of a file; `path` is what its faults call it. */
export function programmeOf(text: string, schema: Schema, path: string): Programme {
  if (/^\s*> bezant@/.test(text)) {
    throw new Fault(`${path} begins with what npm prints: export with npm run -s, or with --out`)
  }
  const read = readYaml(text)
  if (!read.ok) throw fileFault(path, read.faults)
  const { value, placeOf } = read.source
  const found = [...faultsOfSchema(value, schema), ...faultsOfContent(value)]
  if (found.length > 0) {
    throw fileFault(
      path,
      found.map(({ path, of, message }) => ({ ...placeOf(path, of), message })),
    )
  }
  const { settings, ...rest } = membersOf(value)
  const sections = SECTIONS.filter((section) => isMembers(rest[section])).map(
    (section) => [section, entriesOf(section, membersOf(rest[section]))] as const,
  )
  return {
    settings: isMembers(settings) ? normalised('settings', settings) : undefined,
    sections: new Map(sections),
  }
}

function faultsOfSchema(value: Value, schema: Schema): MemberFault[] {
  const ajv = new Ajv({ allErrors: true, strict: false })
  // As the API has it: an empty text is a fault of length.
  ajv.addFormat('not-blank', (text: string) => text === '' || !isBlank(text))
  const isValid = ajv.compile(schema)
  if (isValid(value)) return []
  // Duplicates in a product are reported one by one below.
  const errors = (isValid.errors ?? []).filter(
    ({ keyword, instancePath }) =>
      keyword !== 'uniqueItems' || !instancePath.startsWith('/card_products'),
  )
  return schemaFaults(errors, value)
}

/** Faults that the schema cannot find: references, countries, MCCs and duplicates. */
function faultsOfContent(value: Value): MemberFault[] {
  const root = membersOf(value)
  const faults: MemberFault[] = []
  const eachEntry = (section: string, check: (entry: Members, path: Path) => void) => {
    for (const [name, entry] of Object.entries(membersOf(root[section]))) {
      if (isMembers(entry)) check(entry, [section, name])
    }
  }
  const eachText = (
    list: Value | undefined,
    path: Path,
    check: (text: string) => string | false,
  ) => {
    const seen = new Set<string>()
    for (const [index, text] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof text !== 'string') continue
      const repeated = seen.has(text) && `${text} is there twice`
      const message = check(text) || repeated
      seen.add(text)
      if (message) faults.push({ path: [...path, index], message })
    }
  }
  const country = (text: string) =>
    toAlpha3(text) === undefined && `${text} is not a country of ISO 3166-1`
  const mcc = (text: string) => !/^\d{4}$/.test(text) && `${text} is not four digits`

  const issuing = ['settings', 'allowed_issuing_countries']
  eachText(membersOf(root['settings'])['allowed_issuing_countries'], issuing, country)
  eachEntry('allowed_countries', ({ country_codes }, path) =>
    eachText(country_codes, [...path, 'country_codes'], country),
  )
  eachEntry('allowed_mccs', ({ mccs }, path) => eachText(mccs, [...path, 'mccs'], mcc))
  eachEntry('webhooks', ({ events }, path) => eachText(events, [...path, 'events'], () => false))
  eachEntry('card_products', (product, path) => {
    for (const list of LISTS) {
      const name = product[list]
      const message = typeof name === 'string' && referenceFault(root, list, name)
      if (message) faults.push({ path: [...path, list], message })
    }
    for (const limit of LIMITS) {
      eachText(product[limit], [...path, limit], (name) => referenceFault(root, limit, name))
    }
  })
  return faults
}

function referenceFault(root: Members, section: string, name: string): string | false {
  if (!isCleanText(name)) return 'has characters that cannot be stored'
  return !Object.hasOwn(membersOf(root[section]), name) && `${section} has no ${name}`
}

const membersOf = (value: Value | undefined): Members => (isMembers(value) ? value : {})
