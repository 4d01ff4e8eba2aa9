import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { launch } from '#test/support/processes/process.ts'
import { ENVIRONMENT, EVERYTHING, fileOf, PASSWORD, TOKEN } from './files.ts'
import { openProxy } from './proxy.ts'
import { openPlatform } from './support.ts'

const keep = keeper()
const platform = await openPlatform()
const { world, run, runAs } = platform
keep(world)
const proxy = await openProxy(platform.url)
keep({ [Symbol.asyncDispose]: proxy.close })

const throughProxy = { ...ENVIRONMENT, BEZANT_URL: proxy.url }
const applyAs = async (key: string, text: string, ...args: string[]) =>
  runAs({ id: '', api_key: key }, ['apply', fileOf(text), '--yes', ...args], { env: throughProxy })
/** The number of objects of each kind that the tenant of a key has. */
async function countsOf(key: string): Promise<number[]> {
  const kinds = ['allowedcountries', 'allowedmccs', 'allowedmerchants', 'velocitylimits']
  const all = [...kinds, 'balancelimits', 'cardproducts', 'webhooks']
  return Promise.all(
    all.map(async (path) => {
      return (await world.request('GET', `/v1/${path}`, undefined, { key })).body.data.length
    }),
  )
}

test('apply goes on after each request that was refused or whose answer was lost', async () => {
  const { api_key } = await world.otherTenant()
  let writes = 0
  for (let failures = 0; ; failures += 1) {
    assert.ok(failures < 30, 'it does not come to an end')
    writes = 0
    const fate = failures % 2 === 0 ? 'refuse' : 'lose'
    // Each time one request later than what is done already; a lost answer is lost again.
    let second: string | undefined
    proxy.decide(({ method, path, body }) => {
      if (method === 'GET') return 'pass'
      writes += 1
      if (writes === 2) second = path + body
      return path + body === second ? fate : 'pass'
    })
    const { code, out, errors } = await applyAs(api_key, EVERYTHING)
    for (const secret of [PASSWORD, TOKEN]) assert.ok(!`${out}${errors}`.includes(secret))
    if (code === 0) break
    assert.match(errors, /^failed: (create|change) /)
    assert.equal(fate === 'lose', /\n {2}It is not known whether the request took/.test(errors))
    assert.match(errors, /\ndone: [01] of \d+; left: \d+\n {2}(create|change) /)
    assert.match(errors, /Apply the file again to go on from here/)
  }
  proxy.decide(() => 'pass')
  assert.deepEqual(await countsOf(api_key), [1, 2, 1, 2, 1, 2, 2])
  const again = await applyAs(api_key, EVERYTHING)
  assert.deepEqual([again.code, again.out], [0, 'no difference'])
})

const HOOK = `version: 1
webhooks:
  http://127.0.0.1:9/a:
    events: [TRANSACTION]
    config:
      basic_auth_username: shop
      basic_auth_password: \${env:ONE}
      custom_headers: [{ header_name: X-A, header_value: "\${env:TWO}" }]
`

test('apply asks, and does nothing unless the answer is yes', async () => {
  const text = 'version: 1\nallowed_mccs: { Asked: { mccs: ["5411"] } }\n'
  const path = fileOf(text)
  const questions: string[] = []
  const answering = (answer: string) => async (question: string) => {
    questions.push(question)
    return answer
  }
  const cases: [ask: ((question: string) => Promise<string>) | undefined, line: RegExp][] = [
    [undefined, /there is no terminal to ask on: give --yes; nothing is done/],
    [answering('y'), /^nothing is done$/],
    [answering(''), /^nothing is done$/],
  ]
  for (const [ask, line] of cases) {
    const { code, out, errors } = await run(['apply', path], { ask })
    assert.equal(code, 1)
    assert.match(out, /\+ list of MCCs Asked/)
    assert.match(errors, line)
  }
  assert.equal((await world.request('GET', '/v1/allowedmccs')).body.data.length, 0)
  const done = await run(['apply', path], { ask: answering('yes') })
  assert.equal(done.code, 0)
  assert.match(done.out, /done: create list of MCCs Asked\napplied$/)
  assert.deepEqual(questions, Array(3).fill('Apply this? Only "yes" does it: '))
  assert.equal((await run(['apply', path])).out, 'no difference')
})

test('apply --json prints one document: the plan, what is done, and whether it is all', async () => {
  const { api_key } = await world.otherTenant()
  const path = fileOf('version: 1\nallowed_mccs: { A: { mccs: [] }, B: { mccs: ["5411"] } }\n')
  const apply = async () => {
    const ran = await runAs({ id: '', api_key }, ['apply', path, '--yes', '--json'], {
      env: throughProxy,
    })
    return { ...ran, json: JSON.parse(ran.out) }
  }
  proxy.decide(({ body }) => (body.includes('"B"') ? 'refuse' : 'pass'))
  const failed = await apply()
  proxy.decide(() => 'pass')
  const done = (name: string) => `create list of MCCs ${name}`
  assert.equal(failed.code, 1)
  assert.match(failed.errors, /^failed: create list of MCCs B\n/)
  assert.partialDeepStrictEqual(failed.json, { applied: false, done: [done('A')] })
  assert.equal(failed.json.actions.length, 2)
  const rest = await apply()
  assert.deepEqual([rest.code, rest.errors], [0, ''])
  assert.partialDeepStrictEqual(rest.json, { applied: true, done: [done('B')] })
  assert.partialDeepStrictEqual((await apply()).json, { has_difference: false, applied: true })
})

test('every variable that is not set is named before the first write', async () => {
  const { api_key } = await world.otherTenant()
  proxy.written.length = 0
  const text = `${HOOK}allowed_mccs: { Kept: { mccs: [] } }\n`
  const { code, errors } = await applyAs(api_key, text)
  const line = (name: string) => `the environment variable ${name} is not set: the file names it`
  assert.deepEqual([code, errors], [1, `${line('ONE')}\n${line('TWO')}`])
  assert.deepEqual(proxy.written, [])
})

test('a secret is sent with what it belongs to, and not where nothing else changes', async () => {
  const tenant = await world.otherTenant()
  const env = { BEZANT_URL: proxy.url, ONE: 'first-password', TWO: 'first-token' }
  const apply = async (text: string) => {
    proxy.written.length = 0
    const ran = await runAs(tenant, ['apply', fileOf(text), '--yes'], { env })
    assert.equal(ran.code, 0, ran.errors)
    return proxy.written.map(({ method, body }) => [method, JSON.parse(body)])
  }
  const basic = { basic_auth_username: 'shop', basic_auth_password: 'first-password' }
  const custom_headers = [{ header_name: 'X-A', header_value: 'first-token' }]
  const made = { endpoint: 'http://127.0.0.1:9/a', events: ['TRANSACTION'] }
  assert.deepEqual(await apply(HOOK), [['POST', { ...made, config: { ...basic, custom_headers } }]])
  assert.deepEqual(await apply(HOOK), [])
  assert.deepEqual(await apply(HOOK.replace(': shop', ': store')), [
    ['PUT', { config: { ...basic, basic_auth_username: 'store' } }],
  ])
  const other = [{ header_name: 'X-B', header_value: 'first-token' }]
  const bare = HOOK.replace(/ +basic.*\n/g, '').replace('X-A', 'X-B')
  const cleared = { basic_auth_username: null, basic_auth_password: null }
  assert.deepEqual(await apply(bare), [['PUT', { config: { ...cleared, custom_headers: other } }]])
})

test('a secret that an answer repeats is not printed', async () => {
  const tenant = await world.otherTenant()
  const env = { BEZANT_URL: proxy.url, ONE: PASSWORD, TWO: TOKEN }
  proxy.decide(({ method }) => (method === 'POST' ? 'refuse' : 'pass'))
  const { code, out, errors } = await runAs(tenant, ['apply', fileOf(HOOK), '--yes'], { env })
  proxy.decide(() => 'pass')
  assert.equal(code, 1)
  assert.match(errors, /"basic_auth_password":"\*\*\*".*"header_value":"\*\*\*"/)
  for (const secret of [PASSWORD, TOKEN]) assert.ok(!`${out}${errors}`.includes(secret))
})

test('a request that is repeated has the key of its content, and waits as it is asked to', async () => {
  const { api_key } = await world.otherTenant()
  proxy.written.length = 0
  proxy.decide(({ method }) => (method === 'GET' || proxy.written.length > 2 ? 'pass' : 'later'))
  const waits: number[] = []
  const text = 'version: 1\nallowed_mccs: { Late: { mccs: ["5411"] } }\n'
  const wait = async (ms: number) => void waits.push(ms)
  const more = { env: throughProxy, wait }
  const ran = await runAs({ id: '', api_key }, ['apply', fileOf(text), '--yes'], more)
  proxy.decide(() => 'pass')
  assert.equal(ran.code, 0, ran.errors)
  assert.equal(waits.length, 2)
  for (const ms of waits) assert.ok(ms >= 1000, `${ms} ms is before the second that was asked for`)
  const keys = proxy.written.map(({ key }) => key)
  assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
  assert.match(keys[0] ?? '', /^programme-[0-9a-f]{64}$/)
})

test('what is taken back and applied again on one day is there again', async () => {
  const { api_key } = await world.otherTenant()
  const file = (limits: string, hook: string) => `version: 1
velocity_limits: { Daily: { type: CUMULATIVE, currency: AED, max_amount: 1, period: DAILY } }
card_products: { Again: { currency: AED, bin: "79123456", velocity_limits: ${limits} } }
webhooks: ${hook}
`
  const hook = '{ "http://127.0.0.1:9/again": { events: [TRANSACTION] } }'
  for (const [limits, hooks] of [
    ['[Daily]', hook],
    ['[]', '{}'],
    ['[Daily]', hook],
    ['[]', '{}'],
    ['[Daily]', hook],
  ] as const) {
    const ran = await applyAs(api_key, file(limits, hooks), '--prune')
    assert.equal(ran.code, 0, ran.errors)
    const planned = await applyAs(api_key, file(limits, hooks), '--prune')
    assert.equal(planned.out, 'no difference')
  }
  assert.equal((await countsOf(api_key)).at(-1), 1)
})

test('the audit log has each request, by the key that applied', async () => {
  const tenant = await world.otherTenant()
  const text = 'version: 1\nsettings: { hold_days: 3 }\nallowed_mccs: { Seen: { mccs: [] } }\n'
  const ran = await runAs(tenant, ['apply', fileOf(text), '--yes'])
  assert.equal(ran.code, 0, ran.errors)
  const { data } = (await world.request('GET', '/v1/audit', undefined, { key: tenant.api_key }))
    .body
  const [last, first] = data
  assert.deepEqual([first.operation, last.operation], ['updateSettings', 'createAllowedMccList'])
  assert.deepEqual([first.members, last.members], [['hold_days'], ['name', 'mccs']])
  assert.equal(first.actor.kind, 'client')
  assert.deepEqual(first.actor, last.actor)
})

test('as a process it ends with 2, 1 and 0, and prints no key', async () => {
  const tenant = await world.otherTenant()
  const env = { BEZANT_URL: platform.url, BEZANT_KEY: tenant.api_key }
  const path = fileOf('version: 1\nallowed_mccs: { Process: { mccs: [] } }\n')
  const cases: [args: string[], code: number][] = [
    [['plan', path], 2],
    [['apply', path], 1],
    [['plan', `${path}.none`], 1],
    [['plan', path, '--key', 'bzt_other_key'], 1],
    [['apply', path, '--nothing'], 2],
    [['apply', path, '--yes'], 0],
    [['plan', path], 0],
    [['apply', path, '--yes'], 0],
    [['--help'], 0],
  ]
  for (const [args, code] of cases) {
    const tool = launch(env, ['apps/cli/bezant.mjs', ...args])
    assert.equal(await tool.ended, code, args.join(' '))
    const said = `${tool.output()}${tool.errors().join('\n')}`
    assert.ok(!said.includes(tenant.api_key) && !said.includes('bzt_other_key'))
  }
})
