/** The ready scenarios pass against the program, and each fails when a fault is planted in it. */

import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { make } from '../../apps/cli/scenarios/platform/calls.ts'
import { type StartedPlatform, startPlatform } from '../../apps/cli/scenarios/platform/platform.ts'
import { inWords } from '../../apps/cli/scenarios/run/report.ts'
import { parseAll, type Ready, runAll } from '../../apps/cli/scenarios/run/run.ts'
import { plantedFaults } from './scenario_faults.ts'

const FILES = globSync('examples/scenarios/*.yaml').sort()
const nameOf = (file: string) => basename(file, '.yaml')

let database: TestDatabase
let platform: StartedPlatform
before(async () => {
  database = await createTestDatabase()
  platform = await startPlatform({ database_url: database.url })
})
after(async () => {
  await platform.close()
  await database.drop()
})

function ready(textOf: (file: string) => string): Ready[] {
  return parseAll(FILES.map((file) => ({ file, text: textOf(file) }))).map((parsed) => {
    assert.ok(!('faults' in parsed), JSON.stringify(parsed))
    return parsed
  })
}

test('twenty scenarios and more pass', async () => {
  assert.ok(FILES.length >= 20)
  const outcomes = await runAll(
    ready((file) => readFileSync(file, 'utf8')),
    platform,
  )
  const failed = outcomes.filter(({ failure }) => failure).map(inWords)
  assert.deepEqual(failed, [])
})

test('each scenario has a planted fault', () => {
  assert.deepEqual(Object.keys(plantedFaults).sort(), FILES.map(nameOf))
})

test('each scenario fails with its planted fault, and the difference is in words', async () => {
  const planted = ready((file) => {
    const text = readFileSync(file, 'utf8')
    const { from = '', to = '' } = plantedFaults[nameOf(file)] ?? {}
    assert.ok(text.includes(from), `${file} has no ${from}`)
    return text.replace(from, to)
  })
  const outcomes = await runAll(planted, platform)
  const found = outcomes.map(({ file, failure }) => [nameOf(file), failure?.message])
  const expected = FILES.map((file) => [nameOf(file), plantedFaults[nameOf(file)]?.found])
  assert.deepEqual(found, expected)
})

/** The command, with its exit code and its outputs. */
async function command(args: readonly string[], env: Record<string, string> = {}) {
  const ran = launch(env, ['apps/cli/bezant.mjs', 'scenario', ...args])
  return { code: await ran.ended, output: ran.output(), errors: ran.errors() }
}

describe('bezant scenario', { concurrency: true }, () => {
  const folder = dataFolder()
  const written = (name: string, text: string) => {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const text = readFileSync('examples/scenarios/refund.yaml', 'utf8')

  test('without --url a sandbox is started, and JUnit XML is written', async () => {
    const junit = join(folder, 'junit.xml')
    const files = [written('right.yaml', text), 'examples/scenarios/repeat.yaml']
    const { code, output } = await command(['run', ...files, '--junit', junit])
    assert.equal(code, 0, output)
    assert.match(output, /✓ A shop refunds a part/)
    assert.match(output, /2 scenarios: all passed/)
    assert.match(readFileSync(junit, 'utf8'), /<testsuites tests="2" failures="0">/)
  })

  test('a difference is printed with its place, and the exit code is 1', async () => {
    const file = written('failing.yaml', text.replace('balance: 20', 'balance: 21'))
    const { host, port } = platform.network
    const { code, output } = await command(
      ['run', file, '--url', platform.api.url, '--network', `${host}:${port}`],
      { BEZANT_KEY: platform.operator_key },
    )
    assert.equal(code, 1, output)
    const place = `${file}:10:36`
    const difference = '    balance: expected 21, was 20'
    const step = '    step 2 of 4: A purchase of 80.00 is posted at once'
    assert.ok(output.includes([`    ${place}`, step, difference].join('\n')), output)
  })

  test('with one wrong file nothing is run, and the exit code is 2', async () => {
    const wrong = written('wrong.yaml', text.replace('send: refund', 'send: refunds'))
    const missing = join(folder, 'missing.yaml')
    const { code, output, errors } = await command([
      'run',
      'examples/scenarios/repeat.yaml',
      wrong,
      missing,
    ])
    assert.equal(code, 2)
    assert.equal(output, '')
    assert.ok(errors[0]?.startsWith(`${wrong}:13:11: send must be one of `), errors[0])
    assert.ok(errors[1]?.startsWith(`${missing} does not exist`), errors[1])
    assert.deepEqual(errors.slice(2), ['Nothing was run.'])
  })

  test('a transaction is recorded as a scenario, which passes', async () => {
    const { url } = platform.api
    const { key, id } = await refundedPayment()
    const out = join(folder, 'recorded.yaml')
    const recorded = await command(['record', id, '--out', out], {
      BEZANT_URL: url,
      BEZANT_KEY: key,
    })
    assert.equal(recorded.code, 0, recorded.errors.join())
    const text = readFileSync(out, 'utf8')
    const planted = text.replace('amount: 20\n', 'amount: 21\n')
    const both = parseAll([
      { file: 'recorded', text },
      { file: 'planted', text: planted },
    ])
    const outcomes = await runAll(both.filter(isReady), platform)
    assert.deepEqual(
      outcomes.map(({ steps, failure }) => [steps, failure?.message]),
      [
        [6, undefined],
        [6, 'transaction.status: expected "SETTLED", was "PENDING"'],
      ],
    )
  })

  test('a platform that does not answer, or whose key is not known, is named', async () => {
    const file = 'examples/scenarios/repeat.yaml'
    const key = { BEZANT_KEY: 'an-unknown-key' }
    const network = ['--network', '127.0.0.1:1']
    const cases: [args: string[], env: Record<string, string>, message: RegExp][] = [
      [['--url', 'http://127.0.0.1:1'], {}, /set BEZANT_KEY to the operator's key/],
      [['--url', 'http://127.0.0.1:1', ...network], key, /clock was not answered/],
      [['--url', platform.api.url, ...network], key, /does not know this key \(401/],
      [network, {}, /--network needs --url/],
      [['--url', platform.api.url, '--network', 'none'], key, /none is not HOST:PORT/],
      [['--junt', 'x'], {}, /unknown option '--junt'\n\(Did you mean --junit\?\)/],
    ]
    for (const [args, env, message] of cases) {
      const { code, errors } = await command(['run', file, ...args], env)
      assert.equal(code, 2, errors.join())
      assert.match(errors.join('\n'), message)
    }
  })
})

const isReady = (one: ReturnType<typeof parseAll>[number]): one is Ready => !('faults' in one)

/** A payment that was raised, partly taken back, completed and partly refunded, by simulations. */
async function refundedPayment(): Promise<{ key: string; id: string }> {
  const { api, operator_key } = platform
  const settings = { pci_compliant: true }
  const operator = { apikey: operator_key }
  const made = (path: string, credentials: { apikey: string }, body: object) =>
    make(api, { method: 'POST', path: `/v1${path}`, credentials, body })
  const tenant = await made('/operator/tenants', operator, { name: 'Recorded', settings })
  const funds = { currency: 'AED', amount: 500 }
  await made(`/operator/tenants/${tenant.id}/funding`, operator, funds)
  const post = (path: string, body: object) => made(path, { apikey: tenant.api_key }, body)
  const product = await post('/cardproducts', {
    name: 'Recorded',
    currency: 'AED',
    bin: '40000000',
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const user = await post('/users', { first_name: 'Layla', last_name: 'Aziz' })
  const card = await post('/cards', {
    user_id: user.id,
    card_product_id: product.id,
    card_type: 'VIRTUAL',
  })
  await post(`/accounts/${card.account_id}:loadfunds`, funds)
  const merchant = { id: 'BOOKSHOP', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'AE' }
  const sale = { card_id: card.id, amount: 100, currency: 'AED', merchant }
  const { id } = await post('/simulate/authorizations', sale)
  await post(`/simulate/authorizations/${id}:increment`, { amount: 20 })
  await post(`/simulate/authorizations/${id}:reverse`, { amount: 30 })
  await post(`/simulate/authorizations/${id}:clear`, { amount: 90 })
  const refund = { transaction_id: id, amount: 10, currency: 'AED' }
  return { key: tenant.api_key, id: (await post('/simulate/refunds', refund)).id }
}
