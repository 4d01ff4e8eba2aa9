/** A programme as YAML: the same programme is the same bytes. */

import { Document, Scalar } from 'yaml'
import type { Schema } from '#lib/openapi.ts'
import { hasUnseen, yamlOf } from '../../kit/text.ts'
import type { Members, Value } from '../../kit/values.ts'
import { KINDS, type Programme, SECTIONS } from '../kinds.ts'
import { SCHEMA_PATH } from '../schema.ts'
import { counted } from '../words.ts'

/** `notes` are sentences on what this export leaves out, beside what every one does. */
export function programmeText(
  { settings, sections }: Programme,
  schema: Schema,
  notes: readonly string[],
): string {
  const document = new Document(undefined, { version: '1.2' })
  const root = document.createNode(new Map<string, unknown>([['version', 1]]))
  const add = (name: string, value: Value) => {
    const node = document.createNode(ordered(value, schema.properties?.[name]))
    root.items.push(document.createPair(name, node))
  }
  if (settings) add('settings', settings)
  for (const section of SECTIONS) add(section, Object.fromEntries(sections.get(section) ?? []))
  document.contents = root as typeof document.contents
  for (const pair of root.items.slice(1)) {
    if (pair.key && typeof pair.key === 'object') Object.assign(pair.key, { spaceBefore: true })
  }
  const head = [`yaml-language-server: $schema=${SCHEMA_PATH}`, ...notes]
  const comment = head.map((line) => `# ${line}\n`).join('')
  return `${comment}\n${yamlOf(document.toString({ lineWidth: 0, flowCollectionPadding: true }))}`
}

/** Members in the order of the schema; names of entries in the order of their characters. */
function ordered(value: Value, schema: Schema = {}): unknown {
  if (Array.isArray(value)) return value.map((item: Value) => ordered(item, schema.items))
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object' || value === null) return value
  const { properties, additionalProperties } = schema
  const entries = Object.entries(value as Members)
  const of = (name: string) =>
    properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
  const places = Object.keys(properties ?? {})
  const place = (name: string) => (properties ? places.indexOf(name) : 0)
  entries.sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : Number(a > b)))
  // A Map keeps the order also of names that are numbers.
  return new Map(entries.map(([name, member]) => [textOf(name), ordered(member, of(name))]))
}

/**
 * A reviewer sees what is there: text that hides something or turns its order is escaped (D-811).
 */
function textOf(text: string): string | Scalar {
  if (!hasUnseen(text)) return text
  return Object.assign(new Scalar(text), { type: Scalar.QUOTE_DOUBLE })
}

/** Parts that no file of a programme has, as sentences of its head. */
export function leftOut(of_others: readonly string[]): string[] {
  return [
    'The programme of a tenant: docs/programme.md. Things are named by name, never by id.',
    'Not in this file:',
    '- users, cards and accounts, with the settings, lists and limits of their own',
    `- settings that the operator or an owner sets: ${of_others.join(', ')}`,
    '- keys of card products, and signing secrets: the platform makes them',
    '- secrets of webhooks: each is a reference to an environment variable',
  ]
}

export function disabledNote(names: readonly string[]): string {
  const webhooks = counted(names.length, KINDS.webhooks.noun)
  return `- that the platform has disabled ${webhooks}: ${names.join(', ')}`
}
