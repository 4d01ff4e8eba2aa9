/** A 400 names every fault that can be found, of shape and of rule together (D-125). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createBelongings, freshBin } from '#test/support/contract/belongings.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { ids, tenant } = await createBelongings(world)
const unknown = randomUUID()

const cases: [name: string, method: string, path: string, body: object, expected: string[]][] = [
  ['a user with an unknown member and without names', 'POST', '/v1/users', { colour: 1 },
    ['colour', 'first_name']],
  ['a user whose name is no text, born in the future', 'POST', '/v1/users',
    { first_name: 5, date_of_birth: '2999-01-01' }, ['date_of_birth', 'first_name']],
  ['a user whose parent and sub-users do not exist', 'POST', '/v1/users',
    { user_type: 'BUSINESS', parent_user_id: unknown, shareholder_list: [unknown] },
    ['business_dba_name', 'business_legal_name', 'parent_user_id', 'shareholder_list.0']],
  ['a user of no type that there is: the rest depends on it', 'POST', '/v1/users',
    { user_type: 'ROBOT' }, ['user_type']],
  ['a change of a user', 'PUT', `/v1/users/${ids.user}`,
    { colour: 1, parent_user_id: unknown, date_of_birth: '2999-01-01' },
    ['colour', 'date_of_birth', 'parent_user_id']],
  ['a card of an unknown user, product and account', 'POST', '/v1/cards',
    { user_id: unknown, card_product_id: unknown, account_id: unknown, card_type: 'VIRTUAL' },
    ['account_id', 'card_product_id', 'user_id']],
  ['a card of no product for a user that is left out', 'POST', '/v1/cards',
    { card_product_id: unknown, card_type: 'VIRTUAL', colour: 1 },
    ['card_product_id', 'colour', 'user_id']],
  ['a card that is long expired, with lists that do not exist', 'POST', '/v1/cards',
    { user_id: unknown, card_product_id: ids.card_product, card_type: 'VIRTUAL',
      expiry_date: '1999-01', allowed_mccs_id: unknown },
    ['allowed_mccs_id', 'expiry_date', 'user_id']],
  ['a link of a card to an unknown user and account', 'POST', `/v1/cards/${ids.unlinked_card}:link`,
    { user_id: unknown, account_id: unknown }, ['account_id', 'user_id']],
  ['a transfer between two accounts that do not exist', 'POST', '/v1/transfers',
    { sender_account_id: unknown, recipient_account_id: randomUUID(), amount: 0, currency: 'AED' },
    ['amount', 'recipient_account_id', 'sender_account_id']],
  ['a transfer without an amount from no account', 'POST', '/v1/transfers',
    { sender_account_id: unknown, recipient_account_id: ids.account, currency: 'AED' },
    ['amount', 'sender_account_id']],
  ['a product with an unknown member and an amount of no currency', 'POST', '/v1/cardproducts',
    { name: 'a', currency: 'AED', bin: freshBin(), colour: 1, allowed_mccs_id: unknown,
      identify_above: '1.2345' }, ['allowed_mccs_id', 'colour', 'identify_above']],
  ['a bulk issuance of another currency and without money', 'POST', '/v1/bulkissuances',
    { card_product_id: ids.card_product, number_of_cards: 0, currency: 'USD', amount: 0 },
    ['amount', 'currency', 'number_of_cards']],
  ['a subscription with an unknown member and a wrong header', 'POST', '/v1/webhooks',
    { endpoint: 'ftp://a', events: ['TRANSACTION'], colour: 1,
      config: { basic_auth_username: 'a' } },
    ['colour', 'config.basic_auth_password', 'endpoint']],
  ['a simulated authorization of an unknown card, currency and country', 'POST', '/v1/simulate/authorizations',
    { card_id: unknown, amount: 1, currency: 'ZZZ', merchant: { country: 'ZZ' } },
    ['card_id', 'currency', 'merchant.country']],
  ['a card of an unknown type for a user that does not exist', 'POST', '/v1/cards',
    { user_id: unknown, card_product_id: ids.card_product, card_type: 'PAPER' },
    ['card_type', 'user_id']],
  ['a card of an unknown type for a user that is left out', 'POST', '/v1/cards',
    { card_product_id: unknown, card_type: 'PAPER' }, ['card_product_id', 'card_type', 'user_id']],
  ['a subscription to an unknown event at no address', 'POST', '/v1/webhooks',
    { endpoint: 'nowhere', events: ['FULL_MOON'] }, ['endpoint', 'events.0']],
  ['an identification of an unknown type with dates the wrong way round', 'POST',
    `/v1/users/${ids.user}/identifications`,
    { type: 'LIBRARY_CARD', issuance_date: '2020-01-01', expiration_date: '2010-01-01' },
    ['expiration_date', 'type']],
  ['a limit whose type decides whether it needs a period', 'POST', '/v1/velocitylimits',
    { type: 'NONE', currency: 'AED', min_amount: 5, max_amount: 1 }, ['max_amount', 'type']],
  ['a limit of an amount that is none and of no type', 'POST', '/v1/velocitylimits',
    { type: 'NONE', currency: 'AED', max_amount: true }, ['max_amount', 'type']],
  ['a transfer of no currency code between unknown accounts', 'POST', '/v1/transfers',
    { sender_account_id: unknown, recipient_account_id: ids.account, amount: 1, currency: 'aed' },
    ['currency', 'sender_account_id']],
  ['a business whose type is misspelt: its names may be right', 'POST', '/v1/users',
    { user_type: 'BUSINES', business_legal_name: 'A', business_dba_name: 'B' }, ['user_type']],
  ['a limit whose only amount is none', 'POST', '/v1/velocitylimits',
    { type: 'PER_TRANSACTION', currency: 'AED', min_amount: true }, ['min_amount']],
  ['a product in a currency that is misspelt, and its amounts', 'PUT',
    `/v1/cardproducts/${ids.card_product}`,
    { currency: 'kwd', identify_above: '1.234', auth_settings: { max_amount: '1.234' } },
    ['currency']],
  ['settings with an unknown member and no such zone', 'PUT', '/v1/tenantsettings',
    { unheard_of: 1, time_zone: 'x', hold_days: 0 }, ['hold_days', 'time_zone', 'unheard_of']],
] // biome-ignore format: one case a few lines reads best.

describe('a 400 names every fault of', () => {
  for (const [name, method, path, body, expected] of cases) {
    test(name, async () => {
      const {
        status,
        body: problem,
        text,
      } = await world.request(method, path, body, {
        key: tenant.api_key,
      })
      assert.equal(status, 400, text)
      const paths = problem.errors.map((fault: { path: string }) => fault.path)
      assert.deepEqual([...new Set(paths)].sort(), expected, text)
      assert.equal(problem.code, 'validation_failed')
    })
  }

  test('path, query and body together', async () => {
    const { body } = await world.request('PUT', '/v1/users/x?a=1', { colour: 1 })
    const paths = body.errors.map((fault: { path: string }) => fault.path)
    assert.deepEqual(paths.sort(), ['a', 'colour', 'id'])
  })

  test('an amount of 16 digits, by its path beside the others', async () => {
    const text = '{"currency":"ZZZ","amount":1234567890123456,"colour":1}'
    const headers = { 'content-type': 'application/json' }
    const options = { key: tenant.api_key, headers }
    const path = `/v1/accounts/${ids.account}:loadfunds`
    const { status, body } = await world.request('POST', path, text, options)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((fault: { path: string }) => fault.path),
      ['amount', 'colour', 'currency'],
    )
  })
})

test('nothing is stored of a body that the rules checked', async () => {
  const options = { key: tenant.api_key }
  const before = (await world.request('GET', '/v1/users?limit=200', undefined, options)).body
  const person = { first_name: 'Aisha', last_name: 'Khan', colour: 1 }
  const { status, body } = await world.request('POST', '/v1/users', person, options)
  assert.equal(status, 400)
  assert.deepEqual(
    body.errors.map((fault: { path: string }) => fault.path),
    ['colour'],
  )
  const now = (await world.request('GET', '/v1/users?limit=200', undefined, options)).body
  assert.deepEqual(now, before)
})

test('a member whose name leads out of the body reads nothing from other objects', async () => {
  // Every object inherits this member, and the test itself needs it least.
  const text = '{"first_name":"A","__proto__.__lookupGetter__":12345678901234567890}'
  const headers = { 'content-type': 'application/json' }
  const options = { key: tenant.api_key, headers }
  const { status, body } = await world.request('POST', '/v1/users', text, options)
  assert.ok('__lookupGetter__' in {}, 'it is gone from every object of the process')
  assert.equal(status, 400)
  const paths = body.errors.map((fault: { path: string }) => fault.path)
  assert.deepEqual([...new Set(paths)].sort(), ['__proto__.__lookupGetter__'])
})
