import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Schema } from '#lib/openapi.ts'
import { programmeOf } from '../../apps/cli/programme/file/check.ts'
import { programmeText } from '../../apps/cli/programme/file/write.ts'
import { SCHEMA_PATH } from '../../apps/cli/programme/schema.ts'
import { EVERYTHING, fileOf } from './files.ts'
import { offline } from './offline.ts'

// Written by `npm run generate`.
const schema = JSON.parse(readFileSync(SCHEMA_PATH, 'utf8')) as Schema
const read = (text: string) => programmeOf(text, schema, 'p.yaml')

function linesOf(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  return []
}

test('every fault of a file is named at once, by line and column', () => {
  const lines = linesOf(`version: 2
settings:
  hold_days: "nine"
  pci_compliant: true
  allowed_issuing_countries: [AE, XXZ]
allowed_mccs:
  Groceries: { mccs: [5411, 0742, "54110"], id: 7 }
velocity_limits:
  Monthly: { type: SOMETIMES, max_amount: -1 }
card_products:
  Everyday:
    currency: dirham
    bin: 400000
    pin: { length: 99 }
    allowed_mccs: Groceris
    velocity_limits: [Monthly, Monthly, Weekly]
users: {}
`)
  assert.deepEqual(lines, [
    'p.yaml:1:10: version must be 1',
    'p.yaml:3:14: hold_days must be a whole number',
    'p.yaml:4:3: pci_compliant is unknown here',
    'p.yaml:5:35: XXZ is not a country of ISO 3166-1',
    'p.yaml:7:23: item 1 of mccs must be text: write it in quotes',
    'p.yaml:7:29: item 2 of mccs must be text: write it in quotes',
    'p.yaml:7:35: 54110 is not four digits',
    'p.yaml:7:45: id is unknown here',
    'p.yaml:9:3: Monthly lacks currency',
    'p.yaml:9:20: type must be one of PER_TRANSACTION, CUMULATIVE',
    'p.yaml:9:43: max_amount must be at least 0',
    'p.yaml:12:15: currency must have the form ^[A-Z]{3}$',
    'p.yaml:13:10: bin must be text: write it in quotes',
    'p.yaml:14:20: length must be at most 12',
    'p.yaml:15:19: allowed_mccs has no Groceris',
    'p.yaml:16:32: Monthly is there twice',
    'p.yaml:16:41: velocity_limits has no Weekly',
    'p.yaml:17:1: users is unknown here',
  ])
})

test('a secret in the place of a reference is not repeated', () => {
  const lines = linesOf(`version: 1
webhooks:
  https://a.example/hook:
    events: [TRANSACTION]
    config:
      basic_auth_username: shop
      basic_auth_password: hunter2-hunter2
      custom_headers: [{ header_name: X-A, header_value: "\${env:A} and more" }]
`)
  const fault = `must be a reference such as \${env:NAME}: the file has no secrets`
  assert.deepEqual(lines, [
    `p.yaml:7:28: basic_auth_password ${fault}`,
    `p.yaml:8:58: header_value ${fault}`,
  ])
})

const laughs = Array.from({ length: 12 }, (_, at) =>
  at === 0 ? 'l0: &l0 [a, a, a, a]' : `l${at}: &l${at} [${`*l${at - 1}, `.repeat(9)}]`,
)

describe('a hostile file is rejected:', () => {
  const cases: [name: string, text: string, line: RegExp][] = [
    ['nothing', '', /:1:1: the file is empty/],
    ['only a comment', '# nothing\n', /:1:1: the file is empty/],
    ['a list', '- 1\n', /:1:1: the file must be an object/],
    ['a list that does not end', 'version: [1', /:1:12: Flow sequence in block/],
    ['a name twice', 'version: 1\nversion: 1\n', /:2:1: is a name that is there twice/],
    ['two documents', 'version: 1\n---\nversion: 1\n', /:\d:1: is a second document/],
    ['a tag', 'version: !!js/function "x"\n', /:1:10: has a tag/],
    ['a tag that YAML knows', 'version: !!int "1"\n', /:1:16: has a tag/],
    ['an anchor that is not there', 'version: *one\n', /:1:10: names no anchor/],
    ['a name that is a number', '1: 2\n', /:1:1: 1 is unknown here/],
    ['a name that is a list', '? [a]\n: 1\n', /is a name that is not text/],
    ['infinity', 'version: .inf\n', /is neither text, a finite number/],
    ['a prototype', 'version: 1\n__proto__: { x: 1 }\n', /:2:1: __proto__ is unknown here/],
    ['a merged prototype', 'version: 1\n<<: { users: 1 }\n', /:2:1: << is unknown here/],
    ['a constructor as a reference', 'version: 1\ncard_products: { A: { currency: AED, bin: "400000", allowed_mccs: constructor } }\n', /allowed_mccs has no constructor/],
    ['aliases that multiply', `${laughs.join('\n')}\n`, /has more than 200000 values/],
    ['an alias of itself', 'version: &a [*a]\n', /nested too deeply/],
    ['depth', `version: ${'['.repeat(50)}${']'.repeat(50)}\n`, /nested too deeply/],
    ['great depth', `version: ${'['.repeat(100_000)}`, /nested too deeply/],
    ['a zero character', 'version: "\\0"\n', /has characters that cannot be stored/],
    ['half a character', 'version: "\\ud800"\n', /has characters that cannot be stored/],
    ['a blank name of the bureau', 'version: 1\ncard_products: { A: { currency: AED, bin: "400000", production: { carrier: "  " } } }\n', /carrier must not be blank/],
    ['what npm prints', '\n> bezant@1.0.0 programme\n', /begins with what npm prints/],
  ] // biome-ignore format: one line for each reads best.
  for (const [name, text, line] of cases) {
    test(name, () => assert.match(linesOf(text).join('\n'), line))
  }
})

test('characters that move the cursor are not printed', () => {
  const [line = ''] = linesOf('version: 1\n"\\e[2J\\u202Eabc": 1\n')
  assert.equal(line, 'p.yaml:2:1: \\u001b[2J\\u202eabc is unknown here')
})

test('of a file of another kind the first faults are named, and how many there are', () => {
  const lines = linesOf(Array.from({ length: 70 }, (_, at) => `a${at}: 1`).join('\n'))
  assert.deepEqual([lines.length, lines.at(-1)], [51, 'and 21 more'])
})

test('a file that cannot be read, or is no text, ends with 1 and a sentence', async () => {
  const cases: [path: string, line: RegExp][] = [
    ['/does/not/exist.yaml', /exist\.yaml does not exist/],
    ['/', /is a folder/],
    [fileOf(Buffer.from([0x76, 0xff, 0xfe])), /is not text in UTF-8/],
    [fileOf(`# ${'x'.repeat(5_000_000)}`), /has more than 4194304 bytes/],
  ]
  for (const [path, line] of cases) {
    const { code, errors } = await offline(['plan', path])
    assert.equal(code, 1)
    assert.match(errors, line)
  }
})

test('a faulty file is named before anything is asked of the platform', async () => {
  const { code, errors } = await offline(['apply', fileOf('version: 1\nusers: {}\n'), '--yes'])
  assert.equal(code, 1)
  assert.match(errors, /:2:1: users is unknown here$/)
})

test('what is written is read as the same, whatever its characters', () => {
  const names = ['yes', '1', '# a', 'a: b', "it's", '"', 'é\n- x', ' spaced ', '~', '\t']
  names.push('\u202edraw', 'two\n\u200blines', '\u{e0061}', '\u009b')
  const entry = { type: 'PER_ACCOUNT', currency: 'AED', mode: 'ENFORCED', min_amount: 0.1 }
  const sections = new Map([
    ['balance_limits' as const, new Map([...names, 'x'.repeat(1000)].map((name) => [name, entry]))],
  ])
  const text = programmeText({ settings: undefined, sections }, schema, [])
  assert.deepEqual(
    [...(read(text).sections.get('balance_limits') ?? [])].sort(),
    [...(sections.get('balance_limits') ?? [])].sort(),
  )
  assert.equal(programmeText(read(text), schema, []), text)
  // A reviewer sees each of them.
  assert.doesNotMatch(text, /[\p{Cf}\p{Co}]|[^\P{Cc}\n\t]/u)
  const everything = programmeText(read(EVERYTHING), schema, [])
  assert.equal(programmeText(read(everything), schema, []), everything)
})
