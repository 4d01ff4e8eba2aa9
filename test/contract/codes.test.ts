/**
 * Every documented status code has a producer, and is reached here by its name over the simulations
 * or the wire; one that is unused has none (D-44, D-469, D-525).
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { statusCodes } from '#iso8583/codes.ts'
import type { Fields } from '#iso8583/message.ts'
import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import { switchTable } from '#issuing/products/rules.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { reversal, sale } from '#test/support/network/messages.ts'
import { format4, oneNumber, preparePins } from '#test/support/network/pins.ts'
import { openReceiver } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { producersOf, unusedCodes } from '../../tools/pages/code_producers.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { call } = issuer
const network = keep(
  createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    log: world.log,
    engine: {
      submit: world.engine.submit.bind(world.engine),
      tenantOfPan: createTenantFinder(world.services),
    },
  }),
)
const acquirer = keep(await connectAcquirer({ port: (await network.listen()).port }))
await acquirer.signOn()

const ask = async (method: string, path: string, body?: object) => {
  const answer = await call(method, `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const PATH = 'simulate/authorizations'
const authorize = (card_id: string, body: object = {}) =>
  ask('POST', PATH, { card_id, amount: 10, currency: 'AED', ...body })
const refund = (body: object) =>
  ask('POST', 'simulate/refunds', { amount: 10, currency: 'AED', ...body })
const productOf = async (card_id: string): Promise<string> =>
  (await ask('GET', `cards/${card_id}`)).card_product_id

/** The code of a request of a card with 100.00, under these terms of its product. */
const of =
  (body: object, product: object = {}) =>
  async (): Promise<string> =>
    (await authorize((await issuer.card(100, product)).card_id, body)).status_code

/** The same after calls about the card. */
const once =
  (calls: (card: MadeCard) => Promise<unknown>, body: object = {}) =>
  async (): Promise<string> => {
    const card = await issuer.card(100, {})
    await calls(card)
    return (await authorize(card.card_id, body)).status_code
  }

/** The codes of each switch, at the product and at the card. */
const bySwitch = Object.fromEntries(
  switchTable.flatMap(({ name, product, card, sample, hour }) => {
    const off = { [name]: false }
    const turnOff = ({ card_id }: MadeCard) => ask('PUT', `cards/${card_id}/authsettings`, off)
    const atProduct = of(sample, { auth_settings: off })
    return [
      [card, () => issuer.atHour(hour, once(turnOff, sample))],
      [product, () => issuer.atHour(hour, atProduct)],
    ] as const
  }),
)

/** The code of the newest transaction of a card to which this message was sent. */
const wired =
  (fields: (card: { card_number: string; expiry_date: string }) => Fields, mti = '0100') =>
  async (): Promise<string> => {
    const { card_id } = await issuer.card(100)
    const shown = await ask('GET', `cards/${card_id}:reveal`)
    const message = { pan: shown.card_number, amount: 100n, mti, fields: fields(shown) }
    await acquirer.send(sale(message))
    return newest(card_id)
  }
const newest = async (card_id: string): Promise<string> =>
  (await ask('GET', `transactions?card_id=${card_id}&limit=1`)).data[0].status_code

const end = { status: 'TERMINATED', status_reason_code: 'T0' }
const terminatedByOperator = once(({ card_id }) =>
  world.request(
    'PUT',
    `/v1/operator/cards/${card_id}:statuschange?tenant_id=${world.tenant.id}`,
    end,
    { key: world.operator_key },
  ),
)

async function withPin(tries: number): Promise<string> {
  const { card_id } = await issuer.card(100, { ...oneNumber })
  const number = await preparePins(world, card_id, world.tenant.api_key)
  await ask('PUT', `cards/${card_id}:changepin`, { enc_pin: format4('4831', number) })
  const wrong = { transaction_type: 'WITHDRAWAL', pin: '4832' }
  for (let at = 1; at < tries; at += 1) await authorize(card_id, wrong)
  return (await authorize(card_id, wrong)).status_code
}

/** Between the end of its month and the sweep that terminates it. */
const expired = once(({ card_id }) =>
  sql`update cards set expiry_date = '2020-01' where id = ${card_id}`.execute(world.db),
)

async function cleared(amount: number, product: object = {}): Promise<string> {
  const { card_id } = await issuer.card(100, product)
  const { id } = await authorize(card_id)
  return (await ask('POST', `${PATH}/${id}:clear`, { amount })).status_code
}

async function reversedTwice(): Promise<string> {
  const { id } = await authorize((await issuer.card(100)).card_id)
  await ask('POST', `${PATH}/${id}:reverse`)
  return (await ask('POST', `${PATH}/${id}:reverse`)).status_code
}

async function reversedDeclined(): Promise<string> {
  const { id } = await authorize((await issuer.card(1)).card_id)
  return (await ask('POST', `${PATH}/${id}:reverse`)).status_code
}

async function reversedUnknown(): Promise<string> {
  const { card_id } = await issuer.card(100)
  const { card_number } = await ask('GET', `cards/${card_id}:reveal`)
  await acquirer.send(reversal(sale({ pan: card_number, amount: 100n })))
  return newest(card_id)
}

async function refundedTwice(): Promise<string> {
  const { card_id } = await issuer.card(100)
  const { id } = await refund({ card_id })
  return (await refund({ transaction_id: id })).status_code
}

async function usedUp(): Promise<string> {
  const { card_id } = await issuer.card(0, { pan_range: { start_range: 0, end_range: 1 } })
  const bulk = await ask('POST', 'bulkissuances', {
    card_product_id: await productOf(card_id),
    currency: 'AED',
    number_of_cards: 3,
  })
  await world.services.runDueJobs(world.tenant.id)
  return (await ask('GET', `bulkissuances/${bulk.id}`)).error.code
}

/** A status code that only a database that was restored in part leads to; no call does (D-465). */
async function withoutProduct(remove: (id: string) => Promise<unknown>): Promise<string> {
  const { card_id } = await issuer.card(100, {})
  await remove(await productOf(card_id))
  return (await authorize(card_id, { cvv2: '123' })).status_code
}

/** The status code for a tenant whose responder answers this. */
async function answered(answer: unknown): Promise<string> {
  const receiver = await openReceiver()
  receiver.answer((response) => response.end(JSON.stringify(answer)))
  const tenant = await world.otherTenant({ responder: { url: receiver.url } })
  const theirs = await openIssuer(world, tenant)
  const body = { card_id: (await theirs.card(100)).card_id, amount: 10, currency: 'AED' }
  const paid = await theirs.call('POST', `/v1/${PATH}`, body)
  await receiver.close()
  return paid.body.status_code
}

const track =
  (service_code: string) =>
  ({ card_number, expiry_date }: { card_number: string; expiry_date: string }): Fields => {
    const month = expiry_date.slice(2).replace('-', '')
    return { 22: '901', 25: '00', 35: `${card_number}=${month}${service_code}00000123` }
  }

const shop = { merchant: { id: 'SHOP1', mcc: '5411', country: 'FRA' } }

/** Under a list that blocks the shop, which the card or its product names. */
const blocked =
  (kind: 'countries' | 'mccs', entries: object, isOfCard = false) =>
  async (): Promise<string> => {
    const list = { name: 'Not these', allow: false, ...entries }
    const { id } = await ask('POST', `allowed${kind}`, list)
    const named = { [`allowed_${kind}_id`]: id }
    const { card_id } = await issuer.card(100, isOfCard ? {} : named)
    if (isOfCard) await ask('PUT', `cards/${card_id}/authsettings`, named)
    return (await authorize(card_id, shop)).status_code
  }

/** The code of the last of so many payments of 10.00 under a velocity limit of the account. */
const limited =
  (terms: object, body: object = {}, count = 1) =>
  async (): Promise<string> => {
    const limit = { type: 'PER_TRANSACTION', currency: 'AED', ...terms }
    const card = await linked('velocitylimits', limit)
    for (let at = 1; at < count; at += 1) await authorize(card, body)
    return (await authorize(card, body)).status_code
  }

/** Under a balance limit of the account, which has 100.00. */
const kept =
  (terms: object, body: object = {}) =>
  async (): Promise<string> => {
    const limit = { type: 'PER_ACCOUNT', currency: 'AED', ...terms }
    return (await authorize(await linked('balancelimits', limit), body)).status_code
  }

async function linked(limits: string, limit: object): Promise<string> {
  const { card_id, account_id } = await issuer.card(100)
  const { id } = await ask('POST', limits, limit)
  await ask('POST', `accounts/${account_id}/${limits}:link`, { ids: [id] })
  return card_id
}

const atm = { transaction_type: 'WITHDRAWAL' }
const chip = { entry_mode: 'CHIP' }
const secure = { three_ds: 'AUTHENTICATED' }
const incoming = { transaction_type: 'ORIGINAL_CREDIT' }
const deposit = { transaction_type: 'DEPOSIT' }
const verification = { transaction_type: 'VERIFICATION', amount: 0 }

/** How each code is reached. */
const reached: Readonly<Record<string, () => Promise<string>>> = {
  ...bySwitch,
  '0000': of({}),
  '0001': of({}, { identify_above: 5 }),
  '0002': of({ amount: 101, partial_approval: true }, { partial_approval: true }),
  '0003': once(({ user_id }) => ask('PUT', `users/${user_id}`, { vip: true })),
  '0885': of(verification),
  '1001': expired,
  '1003': once(({ card_id }) => ask('PUT', `cards/${card_id}:statuschange`, suspended)),
  '1006': () => withPin(4),
  '1010': of({ amount: 0 }),
  '1016': of({ amount: 101 }),
  '1017': () => withPin(1),
  '1018': async () =>
    (await ask('POST', PATH, { card_number: '4999991234567890', amount: 1, currency: 'AED' }))
      .status_code,
  '1019': once(({ account_id }) =>
    ask('PUT', `accounts/${account_id}:statuschange`, { status: 'SUSPENDED' }),
  ),
  '1020': of({ ...atm, ...shop }),
  '1021': limited({ max_amount: 9, transaction_scope: ['WITHDRAWALS'] }, atm),
  // No stripe has this service code, whatever its CVV, which one card in a thousand has.
  '1022': wired(track('999')),
  '1804': of({ expiry: '2001-01' }),
  '1806': of({}, { initial_status_of_virtual_card: 'INACTIVE' }),
  '1809': once(({ card_id }) => ask('PUT', `cards/${card_id}:statuschange`, end)),
  '1810': of({ ...chip, chip: { cryptogram: 'WRONG' } }),
  '1816': terminatedByOperator,
  '1829': of({}, { auth_settings: { max_amount: 9 } }),
  '1845': () =>
    withoutProduct((id) =>
      sql`delete from vault.key_sets where card_product_id = ${id}`.execute(world.db),
    ),
  '1846': wired(() => ({ 22: undefined })),
  '1847': () =>
    withoutProduct((id) =>
      world.db.runTransaction(async (db) => {
        // The foreign key of cards is off, as in a restoration.
        await sql`set local session_replication_role = replica`.execute(db)
        await sql`delete from card_products where id = ${id}`.execute(db)
      }),
    ),
  '1848': wired(track('311')),
  '1851': () => answered({ approved: false }),
  '1852': () => answered('neither'),
  '1853': usedUp,
  '1854': () => cleared(11, { clearing_tolerance_percent: 0 }),
  '1855': () => cleared(12),
  '1856': wired(() => ({ 39: '05' }), '0120'),
  '1857': wired(() => ({ 38: '123456', 39: '00' }), '0220'),
  '1858': refundedTwice,
  '1859': blocked('mccs', { mccs: ['5411'] }),
  '1860': blocked('countries', { country_codes: ['FR'] }),
  '1875': kept({ max_amount: 105 }, incoming),
  '1876': kept({ min_amount: 95 }),
  '1877': kept({ type: 'PER_USER', max_amount: 105 }, incoming),
  '1878': kept({ type: 'PER_USER', min_amount: 95 }),
  '1879': blocked('mccs', { mccs: ['5411'] }, true),
  '1880': blocked('countries', { country_codes: ['FR'] }, true),
  '1881': of({}, { auth_settings: { min_amount: 11 } }),
  '1882': once(({ card_id }) => ask('PUT', `cards/${card_id}/authsettings`, { min_amount: 11 })),
  '1883': once(({ card_id }) => ask('PUT', `cards/${card_id}/authsettings`, { max_amount: 9 })),
  '1888': wired(() => ({ 3: '990000' })),
  '1892': once(({ user_id }) => ask('PUT', `users/${user_id}:changeStatus`, suspended)),
  '1893': of(secure, { otp_3ds: true }),
  '1894': reversedTwice,
  '1896': limited({ max_amount: 9 }),
  '1897': limited({ type: 'CUMULATIVE', period: 'DAILY', max_amount: 9 }),
  '1898': limited({ type: 'CUMULATIVE', period: 'DAILY', max_amount: 99, frequency: 1 }, {}, 2),
  '1902': async () => {
    const theirs = await openIssuer(world, await world.otherTenant({ atm_deposit: false }))
    const { card_id } = await theirs.card(100)
    const body = { card_id, amount: 10, currency: 'AED', ...deposit }
    return (await theirs.call('POST', `/v1/${PATH}`, body)).body.status_code
  },
  '9104': wired(() => ({ 42: undefined })),
  '9114': reversedUnknown,
  '9115': reversedDeclined,
}
const suspended = { status: 'SUSPENDED', status_reason_code: 'S0' }

/** Reached by these tests, because more is needed for it than a call or a message. */
const reachedElsewhere: Readonly<Record<string, string>> = {
  '1889': 'src/issuing/authorization/engine/locked.test.ts',
  '1890': 'src/issuing/authorization/engine/pin.test.ts',
  '9109': 'src/issuing/authorization/port/port.test.ts',
}

describe('each status code is reached', () => {
  for (const [code, reach] of Object.entries(reached)) {
    test(code, async () => {
      assert.equal(await reach(), code)
    })
  }

  for (const [code, path] of Object.entries(reachedElsewhere)) {
    test(`${code} in ${path}`, () => {
      assert.ok(readFileSync(path, 'utf8').includes(`'${code}'`))
    })
  }
})

test('every documented code has a producer and is reached, or is unused', () => {
  const producers = producersOf()
  const documented = statusCodes.map(({ code }) => code)
  const unknown = [...producers.keys()].filter((code) => !documented.includes(code))
  assert.deepEqual(unknown, [], 'what is produced is documented')
  const without = documented.filter((code) => !producers.has(code))
  assert.deepEqual(without, unusedCodes, 'what has no producer, and only that, is unused')
  const built = documented.filter((code) => producers.has(code))
  const tested = [...Object.keys(reached), ...Object.keys(reachedElsewhere)].toSorted()
  assert.deepEqual(tested, built, 'what has a producer, and only that, is reached')
})
