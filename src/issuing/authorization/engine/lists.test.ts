/** Lists, cash terminals and 3-D Secure phones over simulated messages (D-34, D-44). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

async function ask(method: string, path: string, body?: object) {
  const answer = await call(method, `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const shop = { id: 'SHOP1', mcc: '5411', country: 'AE' }
async function pay(card_id: string, fields: object = {}) {
  const body = { card_id, amount: 1, currency: 'AED', merchant: shop, ...fields }
  return ask('POST', 'simulate/authorizations', body)
}
const codeOf = async (card_id: string, fields?: object): Promise<string> =>
  (await pay(card_id, fields)).status_code

/** A card of its own product, which nothing else uses. */
async function newCard() {
  const { card_id } = await issuer.card(1_000, {})
  const { card_product_id } = await ask('GET', `cards/${card_id}`)
  const card = `cards/${card_id}/authsettings`
  return { card_id, product: `cardproducts/${card_product_id}`, card }
}
const newList = async (path: string, fields: object): Promise<string> =>
  (await ask('POST', path, { name: 'List', ...fields })).id

/**
 * For each list, a rule that blocks the shop, one that lets it pass, and the codes of product and
 * card.
 */
const kinds = [
  {
    member: 'allowed_countries_id',
    path: 'allowedcountries',
    blocks: { country_codes: ['SA'] },
    passes: { country_codes: ['784', 'SAU'] },
    codes: ['1860', '1880'],
  },
  {
    member: 'allowed_mccs_id',
    path: 'allowedmccs',
    blocks: { mccs: ['5999'] },
    passes: { mccs: ['5999', '5411'] },
    codes: ['1859', '1879'],
  },
  {
    member: 'allowed_merchants_id',
    path: 'allowedmerchants',
    blocks: { merchants: [{ merchant_id: 'SHOP1', allow: false }] },
    passes: { merchants: [{ merchant_id: 'SHOP1', allow: true }] },
    codes: ['1019', '1019'],
  },
] as const

for (const { member, path, blocks, passes, codes } of kinds) {
  describe(member, () => {
    for (const [at, level] of (['product', 'card'] as const).entries()) {
      test(`of the ${level} declines with ${codes[at]}, and a change of the list acts at once`, async () => {
        const they = await newCard()
        const id = await newList(path, blocks)
        assert.equal(await codeOf(they.card_id), '0000')
        await ask('PUT', they[level], { [member]: id })
        assert.equal(await codeOf(they.card_id), codes[at])
        await ask('PUT', `${path}/${id}`, passes)
        assert.equal(await codeOf(they.card_id), '0000')
        await ask('PUT', `${path}/${id}`, blocks)
        assert.equal(await codeOf(they.card_id), codes[at])
        await ask('PUT', `${path}/${id}`, { active: false })
        assert.equal(await codeOf(they.card_id), '0000')
        await ask('PUT', `${path}/${id}`, { active: true })
        await ask('PUT', they[level], { [member]: null })
        assert.equal(await codeOf(they.card_id), '0000')
      })
    }
  })
}

test('the trace of a declined merchant names the list', async () => {
  const they = await newCard()
  const merchants = [{ merchant_id: 'SHOP1', allow: false }]
  const id = await newList('allowedmerchants', { name: 'Suppliers', merchants })
  await ask('PUT', they.card, { allowed_merchants_id: id })
  const { id: transaction } = await pay(they.card_id)
  const { checks } = await ask('GET', `transactions/${transaction}/trace`)
  const detail = `SHOP1, card list Suppliers (${id})`
  const refused = checks.find(({ verdict }: { verdict: string }) => verdict === 'refused')
  const found = { check: 'merchants', detail, verdict: 'refused', status_code: '1019' }
  assert.deepEqual(refused, { ...found, decisive: true })
})

test('a merchant of the card’s list passes whatever the list of the product has', async () => {
  const they = await newCard()
  const entry = (allow: boolean) => ({ merchants: [{ merchant_id: 'SHOP1', allow }] })
  const product = await newList('allowedmerchants', entry(false))
  const card = await newList('allowedmerchants', entry(true))
  await ask('PUT', they.product, { allowed_merchants_id: product })
  assert.equal(await codeOf(they.card_id), '1019')
  await ask('PUT', they.card, { allowed_merchants_id: card })
  assert.equal(await codeOf(they.card_id), '0000')
})

test('a card in migration keeps its lists, and their contents may change (D-422)', async () => {
  const they = await newCard()
  const id = await newList('allowedmccs', { mccs: ['5411'] })
  await ask('PUT', they.card, { allowed_mccs_id: id })
  await ask('PUT', `cards/${they.card_id}`, { change_to_physical: true })
  const changed = await call('PUT', `/v1/${they.card}`, { allowed_mccs_id: null })
  assert.equal(changed.body.code, 'card_migrating')
  assert.equal(await codeOf(they.card_id), '0000')
  await ask('PUT', they.product, { allowed_mccs_id: await newList('allowedmccs', { mccs: [] }) })
  assert.equal(await codeOf(they.card_id), '0000')
  await ask('PUT', `allowedmccs/${id}`, { mccs: ['5999'] })
  assert.equal(await codeOf(they.card_id), '1879')
})

test('cash is withdrawn under MCC 6010 and 6011 only (1020)', async () => {
  const { card_id } = await newCard()
  const cash = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' }
  assert.equal(await codeOf(card_id, cash), '1020')
  for (const mcc of ['6010', '6011']) {
    assert.equal(await codeOf(card_id, { ...cash, merchant: { ...shop, mcc } }), '0000')
  }
})

test('3-D Secure under otp_3ds needs a cardholder with a mobile (1893)', async () => {
  const { card_id, user_id } = await issuer.card(1_000, { otp_3ds: true })
  const secure = { three_ds: 'AUTHENTICATED' }
  assert.equal(await codeOf(card_id), '0000')
  assert.equal(await codeOf(card_id, secure), '1893')
  await ask('PUT', `users/${user_id}`, { mobile: '+971501234567' })
  assert.equal(await codeOf(card_id, secure), '0000')
  await ask('PUT', `users/${user_id}`, { mobile: null })
  assert.equal(await codeOf(card_id, secure), '1893')
})
