/** docs/scenario_steps.md: the ready scenarios, and the members of each kind of step. */

import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { scenarioSchema, stepSchemas } from '../../apps/cli/scenarios/file/schema.ts'
import { page, table } from './markdown.ts'

/** Members of the schemas that are read. */
type Schema = {
  type?: string | readonly string[]
  enum?: readonly string[]
  description?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
}

/** The schemas as JSON has them. */
const inJson = (schema: object): Schema => JSON.parse(JSON.stringify(schema))

const schemas: readonly [kind: string, schema: Schema][] = Object.entries(stepSchemas).map(
  ([kind, schema]) => [kind, inJson(schema)],
)
const expectations = expectationsOf(inJson(stepSchemas.check))

const CHECK = 'A step with `expect` alone, and a name where it has one, compares only.'

export function scenarioStepsPage(): string {
  const ready = globSync('examples/scenarios/*.yaml')
    .sort()
    .map((path) => {
      const { name }: { name: string } = parse(readFileSync(path, 'utf8'))
      const file = basename(path)
      return [`[${file}](../examples/scenarios/${file})`, name]
    })
  const common = new Set(Object.keys(expectations.properties ?? {}))
  const steps = schemas.map(([kind, schema]) =>
    [`## ${kind}`, ...partsOf(kind, schema, common)].join('\n\n'),
  )
  return page('Steps of scenarios', [
    'How scenarios are written and run is in [scenarios.md](scenarios.md).',
    '## Ready scenarios',
    table(['File', 'What it shows'], ready).join('\n'),
    '## A file',
    membersOf(inJson(scenarioSchema)).join('\n'),
    ...steps,
    '## What is expected after any step',
    membersOf(expectations).join('\n'),
  ])
}

function partsOf(kind: string, schema: Schema, common: ReadonlySet<string>): string[] {
  if (kind === 'check') return [CHECK]
  const { properties = {} } = schema
  const { name: _name, expect, ...own } = properties
  const inner = Object.entries(own).filter(([, member]) => member.properties)
  const expected = Object.entries(expect?.properties ?? {}).filter(([name]) => !common.has(name))
  return [
    membersOf({ ...schema, properties: own }).join('\n'),
    ...inner.flatMap(([name, member]) => [`Members of \`${name}\`:`, membersOf(member).join('\n')]),
    ...(expected.length > 0
      ? [
          'What it may expect beside what any step may:',
          membersOf({ properties: Object.fromEntries(expected) }).join('\n'),
        ]
      : []),
  ]
}

function expectationsOf({ properties }: Schema): Schema {
  return properties?.['expect'] ?? {}
}

function membersOf({ properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    valueText(schema),
    [schema.description, required.includes(name) ? 'Required.' : undefined]
      .filter((text) => text !== undefined)
      .join(' '),
  ])
  return table(['Member', 'Value', 'Description'], rows)
}

const valueText = ({ type = 'any', enum: values }: Schema): string =>
  values ? values.map((value) => `\`${value}\``).join(', ') : [type].flat().join(' or ')
