/**
 * What is documented exists: every operation and member is described, and every error code, event,
 * environment variable and status code of the documents has a producer or reader in src.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { eventKinds } from '#issuing/webhooks/events.ts'
import { openapiOf } from '#kit/http/openapi.ts'
import { readConfig } from '#src/config/config.ts'
import { Variables } from '#src/config/variables.ts'
import { contractsOf } from '#src/documents.ts'

const apis = contractsOf(readConfig({}))
const read = (path: string) => readFileSync(path, 'utf8')
const sources = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
const without = (left: RegExp) =>
  sources
    .filter((path) => !left.test(path))
    .map(read)
    .join('\n')
const none = (found: readonly string[]) => assert.deepEqual(found, [])

const SUMMARY_WORDS_MAX = 8

describe('every operation', () => {
  const routes = apis.flatMap((api) => api.routes)

  test('has an id that begins with a verb in lower case', () => {
    none(routes.map(({ id }) => id).filter((id) => !/^[a-z]+([A-Z][a-z0-9]+)+$/.test(id)))
  })

  test('has a summary of at most eight words', () => {
    const fits = ({ summary }: { summary: string }) =>
      /^[A-Z].*[^.]$/.test(summary) && summary.split(' ').length <= SUMMARY_WORDS_MAX
    none(routes.filter((route) => !fits(route)).map(({ id, summary }) => `${id}: ${summary}`))
  })

  test('has a description of whole sentences', () => {
    none(routes.filter(({ description }) => !/^[A-Z].*\.$/s.test(description)).map(({ id }) => id))
  })
})

test('every member of every schema has a description', () => {
  const bare = new Set<string>()
  const look = (value: unknown, path: string): void => {
    if (value === null || typeof value !== 'object') return
    type Member = { description?: string; $ref?: string }
    const { properties } = value as { properties?: Record<string, Member> }
    for (const [name, member] of Object.entries(properties ?? {})) {
      if (!member.description && !member.$ref) bare.add(`${path}.${name}`)
    }
    for (const [name, part] of Object.entries(value)) look(part, `${path}.${name}`)
  }
  for (const api of apis) {
    const { paths, components } = openapiOf(api) as { paths: object; components: object }
    look({ paths, components }, api.document.server)
  }
  none([...bare])
})

test('every error code has a producer', () => {
  const producers = without(/\/(errors|routes|tables|openapi)\.ts$/)
  const codes = apis.flatMap(({ errors }) => Object.keys(errors))
  none([...new Set(codes)].filter((code) => !producers.includes(`'${code}'`)))
})

test('every kind of event that can be subscribed to has a producer', () => {
  const producers = without(/webhooks\/events\.ts$/)
  const built = eventKinds.filter((kind) => !('isUnbuilt' in kind))
  none(built.map(({ event }) => event).filter((event) => !producers.includes(`'${event}'`)))
})

test('every environment variable of the README and of deploy has a reader', () => {
  const readers = without(/^$/)
  const table = read('README.md').match(/^\| `[A-Z][A-Z_]+`.*$/gm) ?? []
  const named = table.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]{3,}/g) ?? [])
  const deployed = [...read('deploy/live.env.example').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name = '']) => name,
  )
  assert.ok(named.length > 20 && deployed.length > 10)
  none([...new Set([...named, ...deployed])].filter((name) => !readers.includes(name)))
})

test('every environment variable of src is in the README', () => {
  const table = read('README.md')
  none(Object.keys(Variables.properties).filter((name) => !table.includes(`\`${name}\``)))
})

test('every status code of the checks is one that a rule gives', () => {
  const rules = globSync('src/issuing/authorization/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  const [checks = ''] = read('docs/codes.md').split('## ').slice(1)
  const codes = new Set(checks.match(/\b\d{4}\b(?= [A-Z])/g))
  assert.ok(codes.size > 20)
  none([...codes].filter((code) => !rules.includes(`'${code}'`)))
})
