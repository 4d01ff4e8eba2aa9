import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBacktests } from '#test/support/backtests.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { SECTIONS } from '../../apps/cli/programme/kinds.ts'
import { EVERYTHING, fileOf } from './files.ts'
import { openPlatform } from './support.ts'

const keep = keeper()
const platform = await openPlatform()
const { world, run, runAs, apply, made } = platform
keep(world)

const FILE = `version: 1
settings: { hold_days: 5 }
allowed_countries:
  Gulf: { country_codes: [ARE, OMN] }
allowed_mccs:
  Shops: { mccs: ["5411", "5812"] }
velocity_limits:
  Daily: { type: CUMULATIVE, currency: AED, max_amount: 1000, period: DAILY }
card_products:
  Everyday:
    currency: AED
    bin: "71234567"
    initial_status_of_virtual_card: ACTIVE
    auth_settings: { max_amount: 500 }
    allowed_countries: Gulf
    allowed_mccs: Shops
    velocity_limits: [Daily]
webhooks:
  http://127.0.0.1:9/hook: { events: [TRANSACTION] }
`
await apply(FILE)
const product = (await world.request('GET', '/v1/cardproducts')).body.data[0]
const issuer = await openIssuer(world)
const user = await made('users', { first_name: 'Aisha', last_name: 'Khan' })
const issue = () =>
  made('cards', { card_type: 'VIRTUAL', card_product_id: product.id, user_id: user.id })
const card = (await issue()) as { id: string; account_id: string }
const closed = await issue()
const closing = { status: 'TERMINATED', status_reason_code: 'T0' }
await issuer.call('PUT', `/v1/cards/${closed.id}:statuschange`, closing)
await made(`accounts/${card.account_id}:loadfunds`, { currency: 'AED', amount: 1000 })

test('a plan groups what differs, as from and to, with the cards that it applies to', async () => {
  const text = FILE.replace('hold_days: 5', 'hold_days: 6, time_zone: Asia/Dubai')
    .replace('[ARE, OMN]', '[OM, AE, SA]')
    .replace('mccs: ["5411", "5812"]', `mccs: [${codes(20)}]`)
    .replace('max_amount: 1000', 'max_amount: 800')
    .replace('max_amount: 500', 'atm: false')
    .replace('bin: "71234567"', 'bin: "71234568"')
    .replace('velocity_limits: [Daily]', 'velocity_limits: [Daily, Weekly]')
    .replace(
      'card_products:',
      '  Weekly: { type: PER_TRANSACTION, currency: AED, max_amount: 9 }\ncard_products:',
    )
    .replace('/hook', '/other')
  const { code, out, errors } = await run(['plan', fileOf(text)])
  assert.equal(code, 2, errors)
  assert.equal(
    out,
    `create (2)
  + velocity limit Weekly
      type: PER_TRANSACTION
      currency: AED
      max_amount: 9
  + webhook http://127.0.0.1:9/other
      events: TRANSACTION

change (5)
  ~ settings of the tenant
      time_zone: UTC → Asia/Dubai
      hold_days: 5 → 6
  ~ list of countries Gulf
      country_codes: ARE, OMN → ARE, OMN, SAU
      (applies to 1 card by Everyday)
  ~ list of MCCs Shops
      mccs: 2 → 20 entries; adds 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011 and 8 more; removes 5411, 5812
      (applies to 1 card by Everyday)
  ~ velocity limit Daily
      max_amount: 1000 → 800
      (applies to 1 card by Everyday)
  ~ card product Everyday
      bin: 71234567 → 71234568
      auth_settings.atm: none → false
      auth_settings.max_amount: 500 → none
      velocity_limits: Daily → Daily, Weekly
      (applies to 1 card)
      (the platform refuses it: BIN, range and currency stay once a card was issued)

not in the file, left alone (2); --prune deletes what can be deleted
  = card product Product, which the API does not delete
  = webhook http://127.0.0.1:9/hook

2 to create, 5 to change, 0 to delete`,
  )
  const asJson = JSON.parse((await run(['plan', fileOf(text), '--json', '--prune'])).out)
  assert.equal(asJson.has_difference, true)
  assert.deepEqual(
    asJson.actions.map(({ action, section, name }: Record<string, string>) => [
      action,
      section,
      name,
    ]),
    [
      ['change', 'settings', undefined],
      ['change', 'allowed_countries', 'Gulf'],
      ['change', 'allowed_mccs', 'Shops'],
      ['change', 'velocity_limits', 'Daily'],
      ['create', 'velocity_limits', 'Weekly'],
      ['change', 'card_products', 'Everyday'],
      ['create', 'webhooks', 'http://127.0.0.1:9/other'],
      ['delete', 'webhooks', 'http://127.0.0.1:9/hook'],
    ],
  )
  const [, , , limit] = asJson.actions
  assert.deepEqual(limit.changes, [{ member: 'max_amount', from: 1000, to: 800 }])
  assert.deepEqual(limit.applies_to, { products: ['Everyday'], cards: 1, has_more: false })
  assert.equal((await run(['plan', fileOf(FILE)])).code, 0)
})

const codes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"${1000 + at}"`).join(', ')

test('what the file does not state is cleared where it may be absent, and else stays', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  const file = (terms: string) =>
    fileOf(`version: 1\ncard_products: { Terms: { currency: AED, bin: "72345678", ${terms} } }\n`)
  const applied = async (terms: string) => {
    const ran = await runAs(tenant, ['apply', file(terms), '--yes'])
    assert.equal(ran.code, 0, ran.errors)
    return (await world.request('GET', '/v1/cardproducts', undefined, key)).body.data[0]
  }
  const full =
    'description: a, num_of_cards_per_user: 2, card_validity_months: 12, pin: { length: 5 }'
  const first = await applied(`${full}, auth_settings: { atm: false, min_amount: 1 }`)
  assert.deepEqual([first.num_of_cards_per_user, first.auth_settings.atm], [2, false])
  const second = await applied('pin: {}')
  assert.deepEqual(
    [second.description, second.num_of_cards_per_user, second.auth_settings.min_amount],
    [undefined, undefined, undefined],
  )
  assert.deepEqual([second.card_validity_months, second.pin.length], [12, 5])
  assert.notEqual(second.auth_settings.atm, false)
})

test('settings that the file does not state stay, and null restores one that may be absent', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  const applied = async (settings: string) => {
    const path = fileOf(`version: 1\nsettings: ${settings}\n`)
    const ran = await runAs(tenant, ['apply', path, '--yes'])
    assert.equal(ran.code, 0, ran.errors)
    assert.equal((await runAs(tenant, ['plan', path])).code, 0)
    return (await world.request('GET', '/v1/tenantsettings', undefined, key)).body
  }
  const listening = await applied('{ hold_days: 4, responder: { listener: true } }')
  assert.equal(listening.responder.listener, true)
  const asked = await applied(
    '{ responder: { url: "http://127.0.0.1:9/a", default_action: approve } }',
  )
  assert.deepEqual(
    [asked.responder.listener, asked.responder.default_action],
    [undefined, 'APPROVE'],
  )
  assert.deepEqual((await applied('{ require_kyc: true }')).responder, asked.responder)
  const { responder, hold_days } = await applied('{ responder: null }')
  assert.deepEqual([responder, hold_days], [undefined, 4])
})

test('--prune deletes webhooks that are not in the file, and nothing else', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  const all =
    'allowed_mccs: { Old: { mccs: [] } }\nwebhooks: { "http://127.0.0.1:9/old": { events: [TRANSACTION] } }\n'
  const none = fileOf('version: 1\nallowed_mccs: {}\nwebhooks: {}\n')
  const webhooks = async () =>
    (await world.request('GET', '/v1/webhooks', undefined, key)).body.data.length
  assert.equal((await runAs(tenant, ['apply', fileOf(`version: 1\n${all}`), '--yes'])).code, 0)
  const kept = await runAs(tenant, ['apply', none, '--yes'])
  assert.deepEqual([kept.code, await webhooks()], [0, 1])
  assert.match(kept.out, /left alone \(2\)/)
  // A section that is not in the file is not looked at.
  assert.equal(
    (await runAs(tenant, ['plan', fileOf('version: 1\n'), '--prune'])).out,
    'no difference',
  )
  const planned = await runAs(tenant, ['plan', none, '--prune'])
  assert.equal(planned.code, 2)
  assert.match(planned.out, /^delete \(1\)\n {2}- webhook http:\/\/127\.0\.0\.1:9\/old\n/)
  const pruned = await runAs(tenant, ['apply', none, '--prune', '--yes'])
  assert.deepEqual([pruned.code, await webhooks()], [0, 0])
  const { data } = (await world.request('GET', '/v1/allowedmccs', undefined, key)).body
  assert.equal(data.length, 1)
})

test('--prune says of each kind that the API does not delete it', async () => {
  const other = await openPlatform()
  keep(other.world)
  await other.apply(EVERYTHING)
  const none = fileOf(`version: 1\n${SECTIONS.map((section) => `${section}: {}\n`).join('')}`)
  const left = [
    ...['list of countries Gulf', 'list of MCCs Gambling: none #1', 'list of MCCs Groceries'],
    ...['list of merchants متاجر', 'velocity limit 2', 'velocity limit Monthly spend'],
    ...['balance limit Floor', 'card product Everyday', 'card product Plain'],
  ]
  const { code, out } = await other.run(['plan', none, '--prune'])
  assert.equal(code, 2)
  const lines = left.map((name) => `  = ${name}, which the API does not delete`)
  const head = `not in the file, left alone (${left.length})`
  assert.ok(out.includes(`\n${[head, ...lines].join('\n')}\n`), out)
  const { actions, left_alone } = JSON.parse(
    (await other.run(['plan', none, '--prune', '--json'])).out,
  )
  assert.deepEqual(
    new Set(actions.map((one: { section: string }) => one.section)),
    new Set(['webhooks']),
  )
  assert.deepEqual(
    left_alone.map((one: { why: string }) => one.why),
    left.map(() => 'CANNOT_BE_DELETED'),
  )
})

test('a name of several objects is an error where it is used, and always in an export', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  for (let made = 0; made < 2; made += 1) {
    await world.request('POST', '/v1/allowedmccs', { name: 'Twice', mccs: [] }, key)
  }
  const line =
    /^list of MCCs Twice stands for 2 objects \(\S{36}, \S{36}\): give each a name of its own$/
  const exported = await runAs(tenant, ['export'])
  const planned = await runAs(tenant, [
    'plan',
    fileOf('version: 1\nallowed_mccs: { Twice: { mccs: [] } }\n'),
  ])
  for (const { code, errors } of [exported, planned]) {
    assert.equal(code, 1)
    assert.match(errors, line)
  }
  const other = await runAs(tenant, ['plan', fileOf('version: 1\nallowed_mccs: {}\n')])
  assert.equal(other.code, 0, other.errors)
})

test('a limit without a description is called by what it limits, and keeps that name', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  const limit = { type: 'CUMULATIVE', currency: 'AED', max_amount: 10, period: 'DAILY' }
  await world.request('POST', '/v1/velocitylimits', limit, key)
  const { out } = await runAs(tenant, ['export'])
  assert.match(out, /\n {2}CUMULATIVE AED DAILY ALL:\n/)
  assert.equal((await runAs(tenant, ['plan', fileOf(out)])).out, 'no difference')
  const weekly = fileOf(out.replace('period: DAILY', 'period: WEEKLY'))
  assert.equal((await runAs(tenant, ['apply', weekly, '--yes'])).code, 0)
  assert.equal((await runAs(tenant, ['plan', weekly])).out, 'no difference')
  const { data } = (await world.request('GET', '/v1/velocitylimits', undefined, key)).body
  assert.deepEqual(
    data.map(({ description, period }: Record<string, string>) => [description, period]),
    [['CUMULATIVE AED DAILY ALL', 'WEEKLY']],
  )
})

test('a webhook that the platform has disabled stays so, and the export says it', async () => {
  const tenant = await world.otherTenant()
  const hook =
    'version: 1\nwebhooks: { "http://127.0.0.1:9/gone": { events: [TRANSACTION], status: ACTIVE } }\n'
  assert.equal((await runAs(tenant, ['apply', fileOf(hook), '--yes'])).code, 0)
  await world.db
    .updateTable('webhooks')
    .set({ status: 'DISABLED', disabled_reason: 'GONE' })
    .where('tenant_id', '=', tenant.id)
    .execute()
  const { out } = await runAs(tenant, ['export'])
  assert.match(
    out,
    /\n# - that the platform has disabled 1 webhook: http:\/\/127\.0\.0\.1:9\/gone\n/,
  )
  for (const text of [out, hook]) {
    assert.equal((await runAs(tenant, ['plan', fileOf(text)])).out, 'no difference')
  }
})

test('--backtest decides stored authorizations again with the changed controls', async () => {
  const merchant = { id: 'SHOP', name: 'SHOP', mcc: '5411', city: 'DUBAI', country: 'AE' }
  for (const amount of [40, 60]) {
    await made('simulate/authorizations', { card_id: card.id, amount, currency: 'AED', merchant })
  }
  const wait = () => runBacktests(world)
  const planned = async (from: string, to: string) =>
    run(['plan', fileOf(FILE.replace(from, to)), '--backtest', '2'], { wait })
  const head = 'backtest of Everyday, 2 days: 2 decisions'
  for (const [from, to, code] of [
    ['max_amount: 500', 'max_amount: 50', '\\d{4}'],
    ['max_amount: 1000', 'max_amount: 50', '\\d{4}'],
    ['"5411", "5812"', '"5812"', '1859'],
  ] as const) {
    const { out, errors } = await planned(from, to)
    assert.equal(errors, '')
    const turned = code === '1859' ? [2, 0, 100] : [1, 1, 60]
    const line = `${turned[0]} approved, would be declined \\(${code}\\): ${turned[2]} AED`
    assert.match(out, new RegExp(`${head}, ${turned[1]} unchanged\\n  ${line}$`))
  }
  const none = await planned('hold_days: 5', 'hold_days: 6')
  assert.match(none.out, /no control of an existing card product changes$/)
})
