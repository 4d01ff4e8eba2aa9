/** Card products, cards, their PIN, delivery, wallet tokens and bulk issuances. */

import { KEY_BLOCK, PROTECTION_KEY } from '#test/support/network/key_blocks.ts'
import { format4 } from '#test/support/network/pins.ts'
import type { TestTenant } from '#test/support/world.ts'
import type { Body, Story } from './story.ts'

/** The BIN of test cards; the numbers are few, so that their last four digits differ. */
export const BIN = '99910001'

const product = {
  name: 'Travel card',
  currency: 'AED',
  bin: BIN,
  pan_range: { start_range: 1, end_range: 90 },
  initial_status_of_virtual_card: 'ACTIVE',
}

/** Test keys that are visibly none. */
const keys = {
  cvk: '0123456789ABCDEFFEDCBA9876543210',
  pvk: 'FEDCBA98765432100123456789ABCDEF',
  pvki: '1',
  imk_ac: '89ABCDEF0123456776543210FEDCBA98',
  imk_smi: '0123456789ABCDEFFEDCBA9876543210',
  imk_smc: 'FEDCBA98765432100123456789ABCDEF',
  zpk: '76543210FEDCBA9889ABCDEF01234567',
  zpk_aes: '00112233445566778899AABBCCDDEEFF',
}

const address = {
  name: 'Layla Aziz',
  address_line1: '12 Palm Street',
  city: 'Dubai',
  country: 'ARE',
}

export type Cards = { card: Body; other: Body; product: Body }

export async function issueCards(story: Story, tenant: TestTenant, user: Body): Promise<Cards> {
  const { call, prepare } = story
  const created = await call('createCardProduct', { body: product })
  const ofProduct = { id: created.id }
  await call('listCardProducts', { query: { limit: 1 } })
  await call('getCardProduct', { params: ofProduct })
  await call('updateCardProduct', { params: ofProduct, body: { num_of_cards_per_user: 10 } })
  await call('installTestKeys', { params: ofProduct, body: keys })
  const ofKeys = { id: tenant.id, card_product_id: created.id }
  const protection = { components: [PROTECTION_KEY] }
  await call('setKeyBlockProtectionKeyAsOperator', { params: ofKeys, body: protection })
  const zpk = { name: 'zpk', key_block: KEY_BLOCK }
  await call('importKeyAsOperator', { params: ofKeys, body: zpk })
  await call('getKeysAsOperator', { params: ofKeys })

  const wanted = { user_id: user.id, card_product_id: created.id, card_type: 'VIRTUAL' }
  const card = await call('createCard', { body: { ...wanted, name_on_card: 'LAYLA AZIZ' } })
  const params = { id: card.id }
  await call('getCard', { params })
  const ofChip = { id: tenant.id, card_id: card.id }
  await call('requestScriptAsOperator', { params: ofChip, body: { script: 'UNBLOCK_PIN' } })
  await call('getChipAsOperator', { params: ofChip })
  await call('listCards', { query: { user_id: user.id, limit: 1 } })
  await call('updateCard', { params, body: { name_on_card: 'L AZIZ' } })
  await call('updateCardAuthSettings', { params, body: { atm: false, max_amount: 2000 } })
  await call('getCardAuthSettings', { params })
  const revealed = await call('revealCard', { params })
  const enc_pin = format4('4831', revealed.card_number, keys.zpk_aes)
  await call('changePin', { params, body: { enc_pin } })
  const widget = { widget: 'CARD_DETAILS', origin: 'https://app.example.com' }
  await call('createWidgetToken', { params, body: widget })
  await call('listCardAccounts', { params, query: { limit: 1 } })

  await reachLimitOfDetails(story, tenant, card)

  const other = await prepare('createCard', { body: wanted })
  const block = { status: 'SUSPENDED', status_reason_code: 'S0', note: { category: 'LOST' } }
  await call('changeCardStatus', { params: { id: other.id }, body: block })
  await prepare('changeCardStatus', {
    params: { id: other.id },
    body: { status: 'ACTIVE', status_reason_code: 'A0' },
  })
  await call('changeCardStatusAsOperator', {
    params: { id: other.id },
    body: { status: 'SUSPENDED', status_reason_code: 'S1' },
  })
  await prepare('changeCardStatusAsOperator', {
    params: { id: other.id },
    body: { status: 'ACTIVE', status_reason_code: 'A0' },
  })
  return { card, other, product: created }
}

/** The first showing counts before the limit is set: the next one is refused, with an event. */
async function reachLimitOfDetails({ world, prepare }: Story, tenant: TestTenant, card: Body) {
  const params = { id: tenant.id }
  await prepare('updateSettingsAsOperator', { params, body: { card_details_per_hour: 1 } })
  const path = `/v1/cards/${card.id}:reveal`
  const show = () => world.request('GET', path, undefined, { key: tenant.api_key })
  // An hour may have begun since.
  await show()
  await show()
  await prepare('updateSettingsAsOperator', { params, body: { card_details_per_hour: null } })
}

/** One card is delivered; the delivery of another fails. */
export async function deliverCards(
  story: Story,
  tenant: TestTenant,
  user: Body,
  { product, card }: Cards,
) {
  const { call, prepare } = story
  const body = {
    user_id: user.id,
    card_product_id: product.id,
    account_id: card.account_id,
    card_type: 'PHYSICAL',
    shipping_details: { method: 'COURIER', address },
  }
  const plastic = async () => ({ params: { id: (await prepare('createCard', { body })).id } })
  const [first, second, third] = [await plastic(), await plastic(), await plastic()]
  const shipment = { delivery_partner: 'Falcon Express', tracking_number: 'FX-1001' }
  await call('simulateEmbossing', first)
  await call('simulateShipment', { ...first, body: shipment })
  await call('simulateDelivery', first)
  await prepare('simulateEmbossing', second)
  await call('simulateFailedDelivery', second)
  const { card_order_id } = await prepare('getCard', first)
  await call('listCardOrders', { query: { limit: 1 } })
  await call('getCardOrder', { params: { id: card_order_id } })
  await call('listBureauAnswers', { query: { limit: 1 } })
  await call('changeFulfillmentAsOperator', { ...third, body: { fulfillment_status: 'ORDERED' } })
  await call('sendCardOrders', { body: { tenant_id: tenant.id } })
}

export async function tokenizeCard({ call, prepare }: Story, { card }: Cards): Promise<void> {
  const params = { id: card.id }
  const { card_number, expiry_date, cvv2 } = await prepare('revealCard', { params })
  const wallet = { wallet: 'APPLE', device_name: 'Phone of Layla' }
  const data = { card_number, expiry_date, cvv2 }
  const token = await call('provisionCard', { body: { ...data, ...wallet } })
  const ofToken = { params: { id: token.id } }
  await call('listCardTokens', { params, query: { limit: 1 } })
  await call('getToken', ofToken)
  await call('revealToken', ofToken)
  await call('changeTokenStatus', { ...ofToken, body: { status: 'SUSPENDED' } })
}

/** Gift cards without a user, until one is linked. */
export async function issueInBulk(story: Story, user: Body, { product }: Cards): Promise<void> {
  const { call, prepare, runDueJobs } = story
  const body = {
    card_product_id: product.id,
    number_of_cards: 2,
    amount: 100,
    status: 'DRAFT',
  }
  const { id } = await call('createBulkIssuance', { body })
  await call('listBulkIssuances', { query: { limit: 1 } })
  const submitted = { name_on_card: 'GIFT CARD', status: 'SUBMITTED' }
  await call('updateBulkIssuance', { params: { id }, body: submitted })
  await runDueJobs()
  await call('getBulkIssuance', { params: { id } })
  const { data } = await prepare('listCards', { query: { bulk_issuance_id: id, limit: 1 } })
  await call('linkCard', { params: { id: data[0].id }, body: { user_id: user.id } })
}
