import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { makeApiKey } from '#callers/api_keys.ts'
import { cvvOf } from '#cvv/cvv.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { newId } from '#lib/id.ts'
import { isLuhn } from '#lib/luhn.ts'
import { Secret } from '#lib/secret.ts'
import { formsOf, tablesHolding } from '#test/support/inspection/holding.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const CVK = '7F45BC94EA1CE685B546F7621C452C4A'
let bins = 520_000

async function makeCard({ api_key: key }: TestTenant = world.tenant) {
  const post = async (path: string, body: object) =>
    (await world.request('POST', `/v1/${path}`, body, { key })).body
  const user = await post('users', { first_name: 'Aisha', last_name: 'Khan' })
  const product = await post('cardproducts', { name: 'T', currency: 'AED', bin: String(bins++) })
  const keys = `/v1/simulate/cardproducts/${product.id}/keys`
  await world.request('PUT', keys, { cvk: CVK }, { key })
  return post('cards', {
    user_id: user.id,
    card_type: 'VIRTUAL',
    card_product_id: product.id,
    expiry_date: '2031-06',
  })
}
const reveal = (id: string, key?: string) =>
  world.request('GET', `/v1/cards/${id}:reveal`, undefined, key === undefined ? {} : { key })

async function keyWith(permissions: string[]): Promise<string> {
  const { key, key_hash, hint } = makeApiKey()
  const row = { id: newId(), tenant_id: world.tenant.id, key_hash, hint, permissions }
  await world.db
    .insertInto('api_keys')
    .values({ ...row, created: new Date() })
    .execute()
  return key
}

test('200 answers number, expiry and the CVV2 that the product’s key makes, never cached', async () => {
  const card = await makeCard()
  const { status, body, headers } = await reveal(card.id)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['card_number', 'cvv2', 'expiry_date', 'id'])
  assert.ok(isLuhn(body.card_number) && body.card_number.startsWith(card.bin))
  assert.equal(body.card_number.slice(-4), card.last_four)
  const cvk = new TdesKey(new Secret(Buffer.from(CVK, 'hex')))
  const pan = new Secret<string>(body.card_number)
  const expected = cvvOf({ cvk, pan, expiry_yymm: '3106', service_code: '000' }).reveal()
  assert.deepEqual([body.expiry_date, body.cvv2], ['2031-06', expected])
  assert.equal(headers['cache-control'], 'no-store')
})

test('403 without the permission, or when the tenant is not PCI compliant', async () => {
  const card = await makeCard()
  const writer = await reveal(card.id, await keyWith(['read', 'write']))
  assert.deepEqual([writer.status, writer.body.code], [403, 'permission_missing'])
  const loose = await world.otherTenant()
  const theirs = await makeCard(loose)
  const rejected = await reveal(theirs.id, loose.api_key)
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'pci_compliance_required'])
  const unknown = await reveal(randomUUID(), loose.api_key)
  assert.equal(unknown.status, 403)
})

test('no number is in any row, event, log line or answer but the one that reveals it', async () => {
  const card = await makeCard()
  const answers = [JSON.stringify(card)]
  for (const [method, path, body] of [
    ['GET', `/v1/cards/${card.id}`],
    ['GET', '/v1/cards'],
    ['PUT', `/v1/cards/${card.id}:statuschange`, { status: 'ACTIVE', status_reason_code: 'a0' }],
    ['PUT', `/v1/cards/${card.id}/authsettings`, { atm: false }],
    ['PUT', `/v1/cards/${card.id}`, { name_on_card: 'X' }],
    ['GET', '/v1/events'],
  ] as const) {
    answers.push((await world.request(method, path, body)).text)
  }
  const { body } = await reveal(card.id)
  const number: string = body.card_number
  const forms = formsOf(number)
  assert.deepEqual(await tablesHolding(world, forms), [])
  for (const form of forms) {
    assert.equal(answers.join('\n').includes(form), false)
    assert.equal(world.logged.join('\n').includes(form), false)
  }
  // Proves the scan itself: it finds a number in a name.
  await world.db
    .updateTable('cards')
    .set({ name_on_card: `MY ${number}` })
    .where('id', '=', card.id)
    .execute()
  assert.deepEqual(await tablesHolding(world, forms), ['public.cards'])
})
