/**
 * A shop in front of the whole program: a merchant with its keys, a customer with a funded card.
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import { move, openProgramAccounts, programAccountId } from '#issuing/ledger/ledger.ts'
import { type Context, transact } from '#kit/context.ts'
import type { KeyWrapper } from '#kit/keys/keyring.ts'
import { withBoundPorts } from '#src/config/config.ts'
import { type Answer, openWorld, type TestTenant, type World } from '#test/support/world.ts'

export type Customer = {
  account_id: string
  card_id: string
  card_number: string
  /** MM/YY. */
  expiry: string
  cvv2: string
}

export type Shop = World & {
  issuer_port: number
  /** Lets the next connection to the issuer go to another port. */
  connectTo: (port: number) => void
  merchant: { id: string; public_key: string; private_key: string }
  /** Calls the order service with the merchant's token. */
  call: (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>
  /** A new token, after the clock has passed the end of the one before. */
  signIn: () => Promise<void>
  checkout: (fields?: object) => Promise<{ id: string; checkout_url: string; reference: string }>
  /** The payment page as a browser without scripts has it. */
  page: (
    id: string,
    options?: object,
  ) => Promise<{ status: number; text: string; headers: Headers }>
  submit: (id: string, card: CardFields, fields?: object) => Promise<PageAnswer>
  /** A checkout paid to the end: its order. */
  order: (card: CardFields, fields?: object) => Promise<Answer['body']>
  /** A customer with a card of the shop's tenant, unless another one issues it. */
  customer: (balance: bigint, traits?: Traits) => Promise<Customer>
  account: (card: Customer) => Promise<{ balance: bigint; held: bigint }>
  /** Whole tables as text, to search for what they must not contain. */
  dump: (tables: string[]) => Promise<{ rows: string }>
}
/** Beyond those of every customer. */
type Traits = { user?: object; product?: object; card?: object; of?: TestTenant }
type Headers = Record<string, unknown>
type CardFields = Partial<Customer>
export type PageAnswer = { status: number; text: string; headers: Headers }

let references = 0
let bins = 520_000

type ShopOptions = {
  /** That of the keys, where a test knows it. */
  wrapper?: KeyWrapper
  /** False leaves the issuer's port closed; a number is the port of another issuer. */
  issuer?: false | number
  /** Settings of the merchant. */
  settings?: object
  env?: Record<string, string>
}

export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  await using opened = new AsyncDisposableStack()
  const { env, wrapper } = options
  const world = opened.use(await openWorld({ ...(env && { env }), ...(wrapper && { wrapper }) }))
  const port = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    engine: {
      submit: (tenant_id, job) => world.engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(world.services),
    },
    log: world.log,
  })
  if (options.issuer === undefined) opened.defer(() => port.close())
  // Calls that are under way at the port end first.
  opened.defer(() => world.app.close())
  const listening =
    options.issuer === undefined ? await port.listen() : { port: options.issuer || 9 }
  const connectTo = (network_port: number) =>
    world.bind(withBoundPorts(world.config, { port: 8080, network_port }))
  connectTo(listening.port)

  const merchant = await makeMerchant(world, options.settings)
  let { token } = (await authenticate(world, merchant)).body
  const call: Shop['call'] = (method, path, body, headers = {}) =>
    world.request(method, `/api/v1.0${path}`, body, {
      key: null,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  const kept = opened.move()
  const shop: Shop = {
    ...world,
    issuer_port: listening.port,
    connectTo,
    merchant,
    call,
    async signIn() {
      token = (await authenticate(world, merchant)).body.token
    },
    async checkout(fields = {}) {
      const body = { ...checkoutBody(), ...fields }
      const answer = await call('POST', '/checkouts/', body)
      assert.equal(answer.status, 201, answer.text)
      const { checkout_url, reference } = answer.body
      return { checkout_url, reference, id: new URL(checkout_url).searchParams.get('id') ?? '' }
    },
    page: (id, options = {}) =>
      pageAnswer(world, { method: 'GET', url: `/checkout?id=${id}`, ...options }),
    async submit(id, card, fields = {}) {
      const { text } = await shop.page(id)
      return post(world, id, { form_token: tokenIn(text), ...cardFields(card), ...fields })
    },
    async order(card, fields = {}) {
      const { id, reference } = await shop.checkout(fields)
      const answer = await shop.submit(id, card)
      assert.equal(answer.status, 303, answer.text)
      return (await call('GET', `/orders/${reference}/`)).body
    },
    customer: (balance, traits = {}) => makeCustomer(world, balance, traits),
    async account({ account_id }) {
      const row = await world.db
        .selectFrom('accounts')
        .select(['balance', 'held'])
        .where('tenant_id', '=', world.tenant.id)
        .where('id', '=', account_id)
        .executeTakeFirstOrThrow()
      return { balance: row.balance ?? 0n, held: row.held }
    },
    async dump(tables) {
      const texts = tables.map(async (table) => {
        const { rows } = await sql`select t::text from ${sql.table(table)} t`.execute(world.db)
        return JSON.stringify(rows)
      })
      return { rows: (await Promise.all(texts)).join('\n') }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
  return shop
}

export const checkoutBody = () => ({
  reference: `R-${++references}`,
  total: '100.50',
  currency: 'AED',
  confirm_callback_url: 'http://shop.example/confirm?a=1',
  reject_callback_url: 'http://shop.example/reject',
})

export const authenticate = (
  world: World,
  { public_key, private_key }: { public_key: string; private_key: string },
) =>
  world.request(
    'POST',
    '/api/v1.0/merchant/authentication/',
    { public_key, private_key },
    { key: null },
  )

export function tokenIn(page: string): string {
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
}

export const cardFields = ({ card_number = '', expiry = '', cvv2 = '' }: CardFields) => ({
  card_number,
  expiry,
  cvv2,
})

export function post(
  world: World,
  id: string,
  fields: Record<string, string>,
): Promise<PageAnswer> {
  return pageAnswer(world, {
    method: 'POST',
    url: `/checkout?id=${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
}

async function pageAnswer(world: World, request: object): Promise<PageAnswer> {
  const reply = await world.app.inject(request)
  return { status: reply.statusCode, text: reply.body, headers: reply.headers }
}

/** The token of another merchant of the tenant, as a header. */
export async function anotherMerchant(shop: Shop): Promise<{ authorization: string }> {
  const { token } = (await authenticate(shop, await makeMerchant(shop))).body
  return { authorization: `Bearer ${token}` }
}

/** The answer that another merchant of the tenant gets. */
export async function asAnother(shop: Shop, path: string): Promise<Answer['body']> {
  const options = { key: null, headers: await anotherMerchant(shop) }
  return (await shop.request('GET', `/api/v1.0${path}`, undefined, options)).body
}

async function makeMerchant(world: World, settings: object = {}) {
  const operator = { key: world.operator_key }
  const fields = { tenant_id: world.tenant.id, name: 'Date Palm Books', city: 'Dubai', ...settings }
  const made = await world.request('POST', '/v1/operator/merchants', fields, operator)
  assert.equal(made.status, 200, made.text)
  const { body } = made
  const path = `/v1/operator/merchants/${body.id}/keys`
  const keys = await world.request('POST', path, undefined, operator)
  assert.equal(keys.status, 200, keys.text)
  return { id: body.id, public_key: keys.body.public_key, private_key: keys.body.private_key }
}

async function makeCustomer(world: World, balance: bigint, traits: Traits): Promise<Customer> {
  const { of: tenant = world.tenant } = traits
  const options = { key: tenant.api_key }
  const make = async (path: string, fields: object) => {
    const { status, body, text } = await world.request('POST', path, fields, options)
    assert.equal(status, 200, text)
    return body
  }
  const user = await make('/v1/users', {
    first_name: 'Omar',
    last_name: 'Haddad',
    ...traits.user,
  })
  const product = await make('/v1/cardproducts', {
    name: 'Debit',
    currency: 'AED',
    bin: String(bins++),
    initial_status_of_virtual_card: 'ACTIVE',
    ...traits.product,
  })
  const fields = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  const card = await make('/v1/cards', { ...fields, ...traits.card })
  const path = `/v1/cards/${card.id}:reveal`
  const revealed = (await world.request('GET', path, undefined, options)).body
  await load(await world.ctx(tenant.id), card.account_id, balance)
  const [year = '', month = ''] = revealed.expiry_date.slice(2).split('-')
  return {
    account_id: card.account_id,
    card_id: card.id,
    card_number: revealed.card_number,
    expiry: `${month}/${year}`,
    cvv2: revealed.cvv2,
  }
}

async function load(ctx: Context, account_id: string, amount: bigint): Promise<void> {
  const [funding, external] = (['FUNDING', 'EXTERNAL'] as const).map((kind) =>
    programAccountId(ctx.tenant_id, kind, 'AED'),
  )
  assert.ok(funding && external)
  await transact(ctx, async (tx) => {
    await openProgramAccounts(tx, 'AED')
    const money = { currency: 'AED', amount }
    await move(tx, [
      { kind: 'PROGRAM_FUNDING', debit_account_id: external, credit_account_id: funding, ...money },
      { kind: 'LOAD', debit_account_id: funding, credit_account_id: account_id, ...money },
    ])
  })
}
