/** The tenant of one scenario: its keys, its cardholders and its merchant. */

import type { Credentials } from '#client/core/transport.ts'
import { BezantError } from '#client/index.ts'
import { type PayingCard, payCheckout } from '#client/payment_page.ts'
import { withFreeBin } from '../../kit/bins.ts'
import type { callers, Scenario, StepOf } from '../file/schema.ts'
import { StepFault } from '../run/step_fault.ts'
import { type Answer, type Body, type Call, callApi, make } from './calls.ts'
import type { Platform } from './platform.ts'

export type Caller = (typeof callers)[number]

/** The amount with which the program loads accounts, in major units. */
const FUNDING = 1_000_000

export class Tenant {
  readonly id: string
  readonly currency: string
  readonly #platform: Platform
  readonly #key: string
  #token: string | undefined

  private constructor(platform: Platform, id: string, key: string, currency: string) {
    this.#platform = platform
    this.id = id
    this.#key = key
    this.currency = currency
  }

  static async open(platform: Platform, { name, currency = 'AED', settings }: Scenario) {
    const { api, operator_key } = platform
    const asOperator = (path: string, body: object) =>
      make(api, {
        method: 'POST',
        path: `/v1/operator/tenants${path}`,
        body,
        credentials: { apikey: operator_key },
      })
    const { id } = await asOperator('', {
      name: name.slice(0, 100),
      settings: { default_currency: currency, pci_compliant: true, ...settings },
    })
    await asOperator(`/${id}/funding`, { currency, amount: FUNDING })
    const permissions = ['read', 'write', 'cards:reveal', 'cards:widget']
    const { key } = await asOperator(`/${id}/keys`, { permissions })
    return new Tenant(platform, id, key, currency)
  }

  async call(as: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
    const credentials = await this.#credentialsOf(as)
    return callApi(this.#platform.api, { method, path, credentials, body })
  }

  /** Sends a request of the tenant, under /v1. Throws RequestFault if the answer is no success. */
  made(method: string, path: string, body?: unknown): Promise<Body> {
    return make(this.#platform.api, { ...this.#own(method, `/v1${path}`), body })
  }

  /** Rejects once the signal is aborted. */
  poll(path: string, signal: AbortSignal): Promise<Answer> {
    return callApi(this.#platform.api, { ...this.#own('GET', path), signal })
  }

  #own(method: string, path: string): Call {
    return { method, path, credentials: { apikey: this.#key } }
  }

  async #credentialsOf(as: Caller): Promise<Credentials> {
    switch (as) {
      case 'tenant':
        return { apikey: this.#key }
      case 'operator':
        return { apikey: this.#platform.operator_key }
      case 'merchant':
        this.#token ??= await this.#openMerchant()
        return { authorization: `Bearer ${this.#token}` }
      case 'nobody':
        return {}
    }
  }

  async #openMerchant(): Promise<string> {
    const { api, operator_key } = this.#platform
    const asOperator = (path: string, body: object) => {
      const credentials = { apikey: operator_key }
      return make(api, { method: 'POST', path: `/v1/operator/merchants${path}`, credentials, body })
    }
    const { id } = await asOperator('', { tenant_id: this.id, name: 'Palm Books' })
    const { public_key, private_key } = await asOperator(`/${id}/keys`, {})
    const path = '/api/v1.0/merchant/authentication'
    const body = { public_key, private_key }
    return (await make(api, { method: 'POST', path, credentials: {}, body })).token
  }

  /** A user, a card product and a funded virtual card that may pay, as variables. */
  async makeCardholder(given: StepOf<'cardholder'>['cardholder']): Promise<[string, unknown][]> {
    const { currency } = this
    const person = { first_name: 'Layla', last_name: 'Aziz' }
    const user_id =
      given.user_id ?? (await this.made('POST', '/users', { ...person, ...given.user })).id
    const product = await this.#makeProduct(given.product ?? {})
    const body = { user_id, card_product_id: product.id, card_type: 'VIRTUAL' }
    const card = await this.made('POST', '/cards', { ...body, ...given.card })
    if (given.funds !== undefined) {
      const funds = { currency: product.currency ?? currency, amount: given.funds }
      await this.made('POST', `/accounts/${card.account_id}:loadfunds`, funds)
    }
    const { card_number, expiry_date, cvv2 } = await this.made('GET', `/cards/${card.id}:reveal`)
    return Object.entries({
      user_id,
      card_product_id: product.id,
      card_id: card.id,
      account_id: card.account_id,
      card_number,
      expiry_date,
      cvv2,
      wrong_cvv2: String((Number(cvv2) + 1) % 1_000).padStart(3, '0'),
    })
  }

  #makeProduct(given: Record<string, unknown>): Promise<Body> {
    return withFreeBin(async (bin) => {
      const usual = { name: 'Scenario', currency: this.currency, bin }
      const body = { ...usual, initial_status_of_virtual_card: 'ACTIVE', ...given }
      const answer = await this.call('tenant', 'POST', '/v1/cardproducts', body)
      if (answer.problem === undefined) return answer.body
      const isTaken = answer.body?.code === 'bin_taken' && given['bin'] === undefined
      if (!isTaken) throw new StepFault([], answer.problem)
    })
  }

  /** Fills in a checkout page and sends it, as a browser without scripts does. */
  async pay(checkout_url: string, card: PayingCard): Promise<void> {
    if (!URL.canParse(checkout_url)) {
      throw new StepFault(['pay'], `${checkout_url} is not an address`)
    }
    const { pathname, search } = new URL(checkout_url)
    const url = `${this.#platform.api.url}${pathname}${search}`
    await payCheckout({ checkout_url: url }, card).catch((error: unknown) => {
      const fault = `${url} got no answer: ${String(error)}`
      throw new StepFault(['pay'], error instanceof BezantError ? error.message : fault)
    })
  }
}
