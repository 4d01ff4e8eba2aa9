import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { parse as parseYaml } from 'yaml'
import { readOperations } from './operations.ts'
import { parseScenario } from './parse.ts'
import { scenarioSchema } from './schema.ts'

const operations = readOperations()
const parse = (text: string) => parseScenario(text, operations)

/** The faults of a text, as `line:column message`. */
function faultsOf(text: string): string[] {
  const parsed = parse(text)
  assert.ok(!parsed.ok, 'the text is a scenario')
  return parsed.faults.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

test('the example of docs/scenarios.md is a scenario', () => {
  const [, example = ''] =
    /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? []
  const parsed = parse(example)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  assert.equal(parsed.scenario.steps.length, 3)
})

test('the schema of editors accepts what the runner accepts', () => {
  const fits = new Ajv({ strict: false, validateSchema: false }).compile(scenarioSchema)
  const files = globSync('examples/scenarios/*.yaml')
  assert.ok(files.length >= 20)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    assert.ok(parse(text).ok, file)
    assert.ok(fits(parseYaml(text)), `${file}: ${JSON.stringify(fits.errors)}`)
    assert.ok(text.startsWith('# yaml-language-server: $schema=../../docs/scenario.schema.json'))
  }
  assert.equal(fits({ name: 'A', steps: [{ send: 'purchase', amont: 1 }] }), false)
})

const steps = (...lines: string[]) => ['name: A test', 'steps:', ...lines].join('\n')

test('a scenario is read with its steps, their kinds and their places', () => {
  const parsed = parse(
    steps(
      '  - cardholder: { funds: 10 }',
      '  - send: purchase',
      '    amount: 5',
      '  - expect:',
    ).concat('\n      balance: 5'),
  )
  assert.ok(parsed.ok)
  const { scenario, placeOf } = parsed
  assert.deepEqual(
    scenario.steps.map(({ kind }) => kind),
    ['cardholder', 'send', 'check'],
  )
  assert.deepEqual(placeOf(['steps', 2, 'expect', 'balance'], 'name'), { line: 7, column: 7 })
})

test('the place of a member that the file has not is that of what is around it', () => {
  const parsed = parse(steps('  - expect: { balance: 5 }'))
  assert.ok(parsed.ok)
  assert.deepEqual(parsed.placeOf(['steps', 0, 'send']), { line: 3, column: 5 })
})

describe('a fault is named with its line and column', () => {
  const cases: readonly [what: string, text: string, faults: readonly string[]][] = [
    ['no YAML', 'name: "A test\nsteps: []', ['2:10 Missing closing "quote']],
    ['a member twice', 'name: A\nname: B\nsteps: []', ['2:1 is a name that is there twice']],
    ['nothing', '', ['1:1 the file is empty']],
    ['a list', '- 1', ['1:1 the file must be an object']],
    ['no step', 'name: A\nsteps: []', ['2:8 steps must have at least 1 of them']],
    [
      'an unknown member',
      steps('  - send: purchase', '    amont: 5'),
      ['4:5 amont is unknown here'],
    ],
    [
      'an unknown kind of message',
      steps('  - send: payment', '    amount: 5'),
      ['3:11 send must be one of authorization, purchase,'],
    ],
    [
      'a number where text is needed',
      steps('  - send: purchase', '    amount: 5', '    merchant: { mcc: 5411 }'),
      ['5:22 mcc must be text: write it in quotes'],
    ],
    [
      'a step of two kinds',
      steps('  - send: purchase', '    repeat: first'),
      ['3:5 a step has one of send and repeat, not both'],
    ],
    ['a step of no kind', steps('  - name: Nothing'), ['3:5 a step has one of cardholder, call,']],
    [
      'an unknown operation',
      steps('  - call: POST /v1/payments'),
      ['3:11 no operation is POST /v1/payments'],
    ],
    [
      'the wrong method',
      steps('  - call: PATCH /v1/users'),
      ['3:11 no operation is PATCH /v1/users'],
    ],
    ['a path that lacks a member', steps('  - call: getUser'), ['3:11 path lacks id of getUser']],
    [
      'an unknown variable',
      steps('  - call: GET /v1/users/${user}', '    query: { limit: "${most}" }'),
      [
        '3:11 no step before this one sets the variable user',
        '4:21 no step before this one sets the variable most',
      ],
    ],
    [
      'an unknown message',
      steps('  - repeat: first', '  - expect: { of: second }'),
      ['3:13 no message before this step is named first', '4:19 no message is named second'],
    ],
    ['an unknown alias', steps('  - expect: *other'), ['3:13 names no anchor']],
  ]
  for (const [what, text, expected] of cases) {
    test(what, () => {
      const faults = faultsOf(text)
      assert.equal(faults.length, expected.length, faults.join('\n'))
      for (const [at, start] of expected.entries()) {
        assert.ok(faults[at]?.startsWith(start), `${faults[at]} does not start with ${start}`)
      }
    })
  }
})

test('aliases that multiply are refused', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [at, name] of ['b', 'c', 'd', 'e', 'f', 'g'].entries()) {
    const before = String.fromCharCode('a'.charCodeAt(0) + at)
    lines.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`)
  }
  assert.match(faultsOf(lines.join('\n')).join(), /has more than 200000 values/)
})

test('a member named __proto__ is a member, and not one that is known', () => {
  assert.deepEqual(faultsOf('name: A\n__proto__: { steps: [] }\nsteps: [{ expect: {} }]'), [
    '2:1 __proto__ is unknown here',
  ])
})

test('a variable of the step itself may be expected by it, and by those after it', () => {
  const parsed = parse(
    steps(
      '  - call: createUser',
      '    body: {}',
      '    save: { user: id }',
      '    expect: { body: { id: "${user}" } }',
      '  - call: GET /v1/users/${user}',
    ),
  )
  assert.ok(parsed.ok, JSON.stringify(parsed))
})
