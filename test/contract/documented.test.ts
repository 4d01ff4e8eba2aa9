/**
 * Everything documented exists: every operation and member is described, and every error code,
 * environment variable, setting and status code of the documents has a producer or reader in src.
 * effects.test.ts names the file that reads each setting, examples.test.ts receives every event.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { NewProduct, switches } from '#issuing/products/schema.ts'
import { SettingsChange } from '#issuing/tenants/schema.ts'
import { openapiOf } from '#kit/http/openapi/openapi.ts'
import { createAjv } from '#kit/http/schema.ts'
import { MerchantChange } from '#merchant/merchants/schema.ts'
import { ConfigError, readConfig } from '#src/config/config.ts'
import { newKeyWrapper } from '#src/config/key_wrapper.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { withoutComments } from '#test/support/inspection/comments.ts'

const apis = contractsOf(readConfig({}), sandbox)
const read = (path: string) => readFileSync(path, 'utf8')
const sources = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
/** The code without its comments, and without the files that only describe. */
const codeWithout = (left: RegExp) =>
  sources
    .filter((path) => !left.test(path))
    .map((path) => withoutComments(read(path)))
    .join('\n')
/** The names that `pattern` finds nowhere in `code`. */
const absent = (names: Iterable<string>, code: string, pattern: (name: string) => string) =>
  [...new Set(names)].filter((name) => !new RegExp(pattern(name)).test(code))
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

test('every schema of a request is JSON Schema and compiles, which no start looks at', () => {
  const ajv = createAjv(false)
  const schemas = apis
    .flatMap((api) => api.routes)
    .flatMap(({ params, query, body }) => [params ?? [], query ?? [], body ?? []].flat())
  assert.ok(schemas.length > 100)
  for (const schema of schemas) {
    assert.ok(ajv.validateSchema(schema), ajv.errorsText())
    assert.equal(typeof ajv.compile(schema), 'function')
  }
  assert.equal(ajv.validateSchema({ type: 'no type' }), false)
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
  const producers = codeWithout(/\/(errors|routes|tables|openapi)\.ts$/)
  const codes = apis.flatMap(({ errors }) => Object.keys(errors))
  // Thrown, returned by a rule, or chosen for a fault of the protocol.
  const pattern = (code: string) => `(Error|fail|Fault)\\(\\s*'${code}'|(return|[?:]) '${code}'`
  none(absent(codes, producers, pattern))
  assert.deepEqual(absent(['not_implemented'], producers, pattern), ['not_implemented'])
})

function ignoreConfigError(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
  }
}

/** The names of all variables that the program and its commands read. */
function variablesRead(): Set<string> {
  const names = new Set<string>()
  const recorded = (values: Record<string, string>) =>
    new Proxy(values, {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    })
  const config = readConfig(recorded({}))
  // These settings are incomplete: the errors name the missing ones, which were read for that.
  for (const values of [{ MODE: 'live' }, { BLOB_STORE_URL: 'x' }, { ONFIDO_API_TOKEN: 'x' }]) {
    ignoreConfigError(() => readConfig(recorded(values)))
  }
  ignoreConfigError(() => newKeyWrapper(recorded({}), config))
  return names
}

test('every environment variable of the documents is read, and every one read is in docs/settings.md', () => {
  const table = read('docs/settings.md').match(/^\| `[A-Z][A-Z_]+[`=].*$/gm) ?? []
  const named = table.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]{3,}/g) ?? [])
  const deployed = [...read('deploy/live.env.example').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name = '']) => name,
  )
  assert.ok(deployed.length > 10)
  const isRead = variablesRead()
  none([...new Set([...named, ...deployed])].filter((name) => !isRead.has(name)))
  const described = read('docs/settings.md')
  none([...isRead].filter((name) => !described.includes(`\`${name}`)))
})

test('every setting of tenants, products, cards and merchants has a reader', () => {
  const readers = codeWithout(
    /\/(\w*schema|\w*store|routes|present|tables|documents|getting_started)\.ts$|\/tenants\/(?!quotas)/,
  )
  const schemas = [SettingsChange, NewProduct, MerchantChange]
  const settings = schemas.flatMap(({ properties }) => Object.keys(properties))
  assert.ok(settings.length > 40)
  const pattern = (name: string) => `\\b${name}\\b`
  assert.deepEqual(absent([...settings, ...switches], readers, pattern), [])
  assert.deepEqual(absent(['no_such_setting'], readers, pattern), ['no_such_setting'])
})

test('the glossary has at most sixty terms', () => {
  const terms = read('docs/glossary.md').match(/^\| (?!Term |---).*$/gm) ?? []
  assert.ok(terms.length > 30 && terms.length <= 60, `${terms.length} terms`)
})
