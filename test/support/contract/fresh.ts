/** New objects of the kinds that a sample names, in the tenant that the tests of a file share. */

import assert from 'node:assert/strict'
import { createExporting, importSuspended } from '../clearing/suspended.ts'
import { PROTECTION_KEY } from '../network/key_blocks.ts'
import { payOut } from '../network/payouts.ts'
import { pinKeys } from '../network/pins.ts'
import { buy, buyAndKeep } from '../network/purchases.ts'
import { importFile } from '../network/settlements.ts'
import { makeStuckPayment } from '../network/stuck.ts'
import { createAccess, createInvitation } from '../portal/belongings.ts'
import { createBelongingMember, memberWith } from '../portal/browser.ts'
import { insertQuestion } from '../questions.ts'
import type { World } from '../world.ts'
import {
  asker,
  type Belongings,
  capture,
  cardData,
  createChallenge,
  createEndpoint,
  createMerchant,
  createPhysicalCard,
  createUnlinkedCard,
  createWaiting,
  freshBin,
  type Ids,
  newProduct,
  newWebhook,
  uploadFile,
} from './belongings.ts'
import { createChargeback, createDisputes, uploadShopEvidence } from './disputes.ts'
import type { SampleOf } from './sample.ts'

type Kind = keyof Ids | Exclude<keyof Belongings, 'ids'>
type Made = Partial<Omit<Belongings, 'ids'>> & { ids?: Partial<Ids> }
/** Makes something that belongs to what `now` has, which contains what was made before it. */
type Make = (world: World, now: Belongings) => Promise<Made>

const askerOf = (world: World, { tenant }: Belongings) => asker(world, tenant.api_key)

/** Sends one request of the tenant, and keeps the id of its answer. */
const posted =
  (kind: keyof Ids, pathOf: (ids: Ids) => string, body: (now: Belongings) => object): Make =>
  async (world, now) => {
    const { id } = await askerOf(world, now)('POST', `/v1/${pathOf(now.ids)}`, body(now))
    return { ids: { [kind]: String(id) } }
  }

const cardOf = ({ ids }: Belongings) => ({
  user_id: ids.user,
  card_product_id: ids.card_product,
  card_type: 'VIRTUAL',
})

const plasticIn =
  (kind: keyof Ids, stage: Parameters<typeof createPhysicalCard>[2]): Make =>
  async (world, now) => {
    const body = { ...cardOf(now), account_id: now.ids.other_account }
    return { ids: { [kind]: await createPhysicalCard(askerOf(world, now), body, stage) } }
  }

const listOf = (kind: keyof Ids, path: string, entries: object): Make =>
  posted(
    kind,
    () => path,
    () => ({ name: 'Unused', ...entries }),
  )

const limitOf = (kind: keyof Ids, path: string, type: string): Make =>
  posted(
    kind,
    () => path,
    () => ({ currency: 'AED', max_amount: 100_000, type }),
  )

const createProduct: Make = async (world, { tenant }) => {
  const ask = asker(world, tenant.api_key)
  const bin = freshBin()
  const { id } = await ask('POST', '/v1/cardproducts', { ...newProduct, bin })
  await ask('PUT', `/v1/simulate/cardproducts/${id}/keys`, pinKeys)
  const keys = `/v1/operator/tenants/${tenant.id}/cardproducts/${id}/keyblockprotectionkey`
  await asker(world, world.operator_key)('PUT', keys, { components: [PROTECTION_KEY] })
  return { bin, ids: { card_product: String(id) } }
}

const createCard: Make = async (world, now) => {
  const { id, account_id } = await askerOf(world, now)('POST', '/v1/cards', cardOf(now))
  return { ids: { card: String(id), account: String(account_id) } }
}

const createProvisionable: Make = async (world, now) => {
  const ask = askerOf(world, now)
  const { id } = await ask('POST', '/v1/cards', cardOf(now))
  return { provisionable: await cardData(ask, id) }
}

const createToken: Make = async (world, now) => {
  const { provisionable } = await createProvisionable(world, now)
  const wallet = { ...provisionable, wallet: 'OTHER' }
  const { id } = await askerOf(world, now)('POST', '/v1/cards:provision', wallet)
  return { ids: { token: String(id) } }
}

const createQuestion: Make = async (world, now) => {
  const purchase = { card_id: now.ids.card, amount: 1, currency: 'AED' }
  const transaction = await askerOf(world, now)('POST', '/v1/simulate/authorizations', purchase)
  return { ids: { question: await insertQuestion(world, now.tenant, transaction) } }
}

const createOrder: Make = async (world, now) => ({
  ids: { order: await buy(world, now.merchant.token, await createFundedCard(world, now)) },
})

/** A card kept by a merchant of its own. */
const createKeptCard: Make = async (world, now) => {
  const { merchant, ids } = await createMerchant(world, now.tenant.id)
  const card = await createFundedCard(world, now)
  return { merchant, ids: { ...ids, kept_card: await buyAndKeep(world, merchant.token, card) } }
}

/** A card of its own, for a test may have spent what is on the others. */
async function createFundedCard(world: World, now: Belongings) {
  const ask = askerOf(world, now)
  const { id, account_id } = await ask('POST', '/v1/cards', cardOf(now))
  const load = `/v1/accounts/${account_id}:loadfunds`
  await ask('POST', load, { currency: 'AED', amount: 10 })
  return ask('GET', `/v1/cards/${id}:reveal`)
}

const createCapturedOrder: Make = async (world, now) => {
  const { ids: { order: captured_order = '' } = {} } = await createOrder(world, now)
  await capture(world, now.merchant, captured_order)
  return { ids: { captured_order } }
}

/**
 * A payout of a merchant of its own: several made at one time for one merchant would be one payout.
 */
const createPayout: Make = async (world, now) => {
  const { merchant, ids } = await createMerchant(world, now.tenant.id)
  await createCapturedOrder(world, { ...now, merchant })
  const payout = await payOut(world, now.tenant.id, ids.merchant)
  return { merchant, ids: { ...ids, payout } }
}

/** An endpoint of a merchant of its own: each may have only a few. */
const createEndpointApart: Make = async (world, now) => {
  const { merchant, ids } = await createMerchant(world, now.tenant.id)
  return { merchant, ids: { ...ids, ...(await createEndpoint(world, merchant)) } }
}

/** They are in a tenant of their own, because its settings change meanwhile. */
const createWaitingApart: Make = async (world) => {
  const tenant = await world.otherTenant({ pci_compliant: true })
  return { tenant, ids: { tenant: tenant.id, ...(await createWaiting(world, tenant)) } }
}

const createTenant: Make = async (world) => {
  const tenant = await world.otherTenant({ pci_compliant: true })
  return { tenant, ids: { tenant: tenant.id } }
}

/** An object stands after those that it belongs to. */
const makers: readonly (readonly [kinds: readonly Kind[], make: Make])[] = [
  [['applicant', 'hopeful', 'unverified', 'kyc', 'match'], createWaitingApart],
  [
    ['user'],
    posted(
      'user',
      () => 'users',
      () => ({ first_name: 'Aisha', last_name: 'Khan' }),
    ),
  ],
  [
    ['business'],
    posted(
      'business',
      () => 'users',
      () => ({
        user_type: 'BUSINESS',
        business_legal_name: 'Palm LLC',
        business_dba_name: 'Palm',
      }),
    ),
  ],
  [
    ['identification'],
    posted(
      'identification',
      ({ user }) => `users/${user}/identifications`,
      () => ({
        type: 'ADDITIONAL',
      }),
    ),
  ],
  [
    ['file'],
    async (world, { tenant, ids }) => ({
      ids: { file: await uploadFile(world, tenant, ids.user, ids.identification) },
    }),
  ],
  [['card_product'], createProduct],
  [['country_list'], listOf('country_list', 'allowedcountries', { country_codes: ['ARE'] })],
  [['mcc_list'], listOf('mcc_list', 'allowedmccs', { mccs: ['5411'] })],
  [
    ['merchant_list'],
    listOf('merchant_list', 'allowedmerchants', {
      merchants: [{ merchant_id: 'SHOP1', allow: false }],
    }),
  ],
  [['balance_limit'], limitOf('balance_limit', 'balancelimits', 'PER_ACCOUNT')],
  [['velocity_limit'], limitOf('velocity_limit', 'velocitylimits', 'PER_TRANSACTION')],
  [
    ['bulk_issuance'],
    posted(
      'bulk_issuance',
      () => 'bulkissuances',
      ({ ids }) => ({
        card_product_id: ids.card_product,
        number_of_cards: 2,
        status: 'DRAFT',
      }),
    ),
  ],
  [['card', 'account'], createCard],
  [
    ['card_number'],
    async (world, now) => {
      const card = await askerOf(world, now)('GET', `/v1/cards/${now.ids.card}:reveal`)
      return { card_number: card.card_number }
    },
  ],
  [['plastic'], plasticIn('plastic', 'TO_BE_MADE')],
  [['ordered_plastic'], plasticIn('ordered_plastic', 'ORDERED')],
  [['shipped_plastic'], plasticIn('shipped_plastic', 'ON_ITS_WAY')],
  [
    ['stop_order'],
    posted(
      'stop_order',
      ({ card }) => `cards/${card}/stoporders`,
      () => ({
        merchant_id: 'STOPPED1',
      }),
    ),
  ],
  [['provisionable'], createProvisionable],
  [['token'], createToken],
  [
    ['unlinked_card'],
    async (world, { tenant, ids }) => ({
      ids: { unlinked_card: await createUnlinkedCard(world, tenant, ids.user) },
    }),
  ],
  [
    ['settled', 'dispute', 'submitted_dispute', 'represented_dispute', 'dispute_file'],
    async (world, now) => {
      const { ids = {} } = await createCard(world, now)
      const load = { currency: 'AED', amount: 20 }
      await askerOf(world, now)('POST', `/v1/accounts/${ids.account}:loadfunds`, load)
      return { ids: await createDisputes(world, now.tenant.api_key, String(ids.card)) }
    },
  ],
  [
    ['challenged_card', 'challenge'],
    async (world, { tenant, ids }) => ({ ids: await createChallenge(world, tenant, ids.user) }),
  ],
  [['question'], createQuestion],
  [
    ['webhook'],
    posted(
      'webhook',
      () => 'webhooks',
      () => newWebhook,
    ),
  ],
  [
    ['receiver'],
    posted(
      'receiver',
      () => 'simulate/webhookreceivers',
      () => ({}),
    ),
  ],
  [
    ['api_key'],
    async (world, { tenant }) => {
      const keys = `/v1/operator/tenants/${tenant.id}/keys`
      const ask = asker(world, world.operator_key)
      const { id } = await ask('POST', keys, { permissions: ['read'] })
      return { ids: { api_key: String(id) } }
    },
  ],
  [
    ['unused_key'],
    async (world, { tenant }) => {
      const keys = `/v1/operator/tenants/${tenant.id}/keys`
      const ask = asker(world, world.operator_key)
      const { id } = await ask('POST', keys, { permissions: ['read'] })
      return { ids: { unused_key: String(id) } }
    },
  ],
  [
    ['member', 'other_session'],
    async (world, { tenant }) => {
      const { other_session, ...member } = await createBelongingMember(world, tenant.id)
      return { member, ids: { other_session } }
    },
  ],
  [
    ['access', 'passkey'],
    async (world, { tenant, member }) => {
      const access = await createAccess(world, member, tenant.id)
      return { access, ids: { passkey: access.passkey } }
    },
  ],
  [
    ['invitation'],
    async (world, { member }) => ({
      ids: { invitation: (await createInvitation(world, member.cookie)).id },
    }),
  ],
  [
    ['colleague'],
    async (world, { tenant }) => ({
      ids: { colleague: (await memberWith(world, 'viewer', tenant.id)).id },
    }),
  ],
  [
    ['sole_owner'],
    async (world) => {
      const { id } = await world.otherTenant()
      return { ids: { sole_owner: (await memberWith(world, 'owner', id)).id } }
    },
  ],
  [['merchant', 'merchant_key'], (world, { tenant }) => createMerchant(world, tenant.id)],
  [
    ['chargeback', 'chargeback_file'],
    async (world, now) => {
      const { ids: { captured_order = '' } = {} } = await createCapturedOrder(world, now)
      const chargeback = await createChargeback(world, now.ids.merchant, captured_order)
      const chargeback_file = await uploadShopEvidence(world, now.merchant, chargeback)
      return { ids: { chargeback, chargeback_file } }
    },
  ],
  [['order'], createOrder],
  [['captured_order'], createCapturedOrder],
  [['payout'], createPayout],
  [
    ['stuck_payment'],
    async (world, { merchant }) => ({
      ids: { stuck_payment: await makeStuckPayment(world, merchant.token) },
    }),
  ],
  [
    ['clearing'],
    async (world, { tenant }) => ({ ids: { clearing: await importSuspended(world, tenant.id) } }),
  ],
  [['exporting', 'clearing_export'], async (world) => ({ ids: await createExporting(world) })],
  [['settlement'], async ({ db }) => ({ ids: { settlement: await importFile(db) } })],
  [['endpoint', 'endpoint_delivery'], createEndpointApart],
  [['kept_card'], createKeptCard],
]

/** The kinds that a sample names. */
function kindsOf(sample: SampleOf, belongings: Belongings): Set<Kind> {
  const kinds = new Set<string | symbol>()
  const watched = <Watched extends object>(object: Watched): Watched =>
    new Proxy(object, {
      get(_target, name) {
        if (name === 'ids') return watched(belongings.ids)
        kinds.add(name)
        return Reflect.get(object, name)
      },
    })
  sample(watched(belongings))
  // Each is a member of the belongings or of their ids.
  return kinds as Set<Kind>
}

/**
 * The belongings that are shared, with new ones in the place of those that the sample names: some
 * requests, where making everything anew takes over forty. A tenant is made where it names nothing
 * else.
 */
export async function freshFor(
  world: World,
  sample: SampleOf,
  shared: Belongings,
): Promise<Belongings> {
  const kinds = kindsOf(sample, shared)
  kinds.delete('tenant')
  const wanted = makers.filter(([made]) => made.some((kind) => kinds.has(kind)))
  const known = new Set(wanted.flatMap(([made]) => made))
  assert.deepEqual(
    [...kinds].filter((kind) => !known.has(kind)),
    [],
    'add it to fresh.ts',
  )
  let now = shared
  for (const make of wanted.length > 0 ? wanted.map(([, make]) => make) : [createTenant]) {
    const made = await make(world, now)
    now = { ...now, ...made, ids: { ...now.ids, ...made.ids } }
  }
  return now
}
