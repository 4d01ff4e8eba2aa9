/** The issuer of a lane: accounts with their cards and limits, made and changed through the API. */

import assert from 'node:assert/strict'
import { availableOf } from '#issuing/limits/available.ts'
import { type Issuer, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import type { TestTenant, World } from '#test/support/world.ts'
import { FOREIGN_PERCENT, type Rate } from './belief.ts'
import { type AccountState, readMoved } from './books.ts'
import { patient, patiently, succeed } from './patiently.ts'
import type { Schedule } from './schedule.ts'

/**
 * Closed while no request may be approved on the card, or but those that raise a hold; each change
 * of that is counted.
 */
export type Gate = { closed: number; closed_but_to_raises: number; changes: number }

export type BankCard = { card_id: string; gate: Gate }

export type BankAccount = {
  id: string
  user_id: string
  cards: BankCard[]
  limit_id: string
  user_limit_id: string
  /** Little of its limit was left when the payments began. */
  isTight: boolean
  state: AccountState
}

/** Minor units. Below LOW payments could be declined for want of funds. */
const OPENING = 900_000n
const LOW = 300_000n
const SCARCE = 12_000n
/** A limit that nothing reaches, and what a tight one leaves; minor units. */
const FAR = 100_000_000_000n
export const TIGHT = 8_000n

const PRODUCT = {
  charges: [{ type: 'FOREIGN_CURRENCY', percent: Number(FOREIGN_PERCENT) }],
}

export class Bank {
  readonly tenant: TestTenant
  readonly #world: World
  readonly #issuer: Issuer
  #accounts: BankAccount[] = []
  #responder = false

  constructor(world: World, issuer: Issuer) {
    this.#world = world
    this.#issuer = issuer
    this.tenant = issuer.tenant
  }

  static async open(world: World): Promise<Bank> {
    const settings = { hold_days: 365, pci_compliant: true }
    const tenant = await patiently(() => world.otherTenant(settings))
    const issuer = await openIssuer({ ...world, request: patient(world.request) }, tenant)
    const bank = new Bank(world, issuer)
    await bank.renew()
    return bank
  }

  get accounts(): readonly BankAccount[] {
    return this.#accounts
  }

  /** Three accounts of two users, one with two cards; earlier faults are left behind. */
  async renew(): Promise<void> {
    const first = await this.#issuer.card(major(OPENING), PRODUCT)
    const product = (await this.#call('GET', `cards/${first.card_id}`)).card_product_id
    const open = async (user_id: string) => {
      const body = { user_id, card_product_id: product, card_type: 'VIRTUAL' }
      const { id, account_id } = await this.#call('POST', 'cards', body)
      await this.#load(account_id, OPENING)
      return { card_id: id, account_id, user_id }
    }
    const user = await this.#call('POST', 'users', { first_name: 'Omar', last_name: 'Haddad' })
    const second = await this.#issuer.cardOn(first)
    const made = [first, await open(first.user_id), await open(user.id)]
    const limits = new Map<string, string>()
    this.#accounts = []
    for (const { card_id, account_id: id, user_id } of made) {
      const user_limit_id = limits.get(user_id) ?? (await this.#limit(`users/${user_id}`))
      limits.set(user_id, user_limit_id)
      const cards = [card_id, ...(id === first.account_id ? [second.card_id] : [])]
      this.#accounts.push({
        id,
        user_id,
        limit_id: await this.#limit(`accounts/${id}`),
        user_limit_id,
        cards: cards.map((one) => ({
          card_id: one,
          gate: { closed: 0, closed_but_to_raises: 0, changes: 0 },
        })),
        isTight: false,
        state: { balance: 0n, held: 0n, charged: 0n, taken: 0n, counted: 0n, user_counted: 0n },
      })
    }
    await this.read()
  }

  /** Reads what the books say of every account. */
  async read(): Promise<void> {
    const limits = this.#accounts.flatMap((account) => [
      [account.limit_id, account] as const,
      [account.user_limit_id, account] as const,
    ])
    const counted = new Map(
      await Promise.all(
        [...new Map(limits)].map(async ([id, account]) => {
          return [id, await this.#counted(account, id)] as const
        }),
      ),
    )
    await this.readMoved()
    for (const account of this.#accounts) {
      const { limit_id, user_limit_id } = account
      account.state.counted = counted.get(limit_id) ?? 0n
      account.state.user_counted = counted.get(user_limit_id) ?? 0n
    }
  }

  /** The same where nothing was paid since. */
  async readMoved(): Promise<void> {
    const ids = this.#accounts.map(({ id }) => id)
    const moved = await patiently(() => readMoved(this.#world.db, this.tenant.id, ids))
    for (const account of this.#accounts) {
      const state = moved.get(account.id)
      assert.ok(state, 'the account is missing')
      account.state = { ...account.state, ...state }
    }
  }

  /** Funds and limits of every account as the seed has them, so that it gives the same again. */
  async prepare(schedule: Schedule): Promise<void> {
    for (const account of this.#accounts) {
      account.isTight = schedule.percent(12)
      const isScarce = schedule.percent(15)
      const available = account.state.balance - account.state.held
      if (!isScarce && available >= LOW) continue
      const missing = (isScarce ? SCARCE : OPENING) - available
      if (missing > 0n) await this.#load(account.id, missing)
      if (missing < 0n) await this.#unload(account.id, -missing)
    }
  }

  /** Leaves little of the limit of an account, until it is far again. */
  tighten(account: BankAccount): Promise<unknown> {
    const max_amount = major(account.state.counted + TIGHT)
    return this.#call('PUT', `velocitylimits/${account.limit_id}`, { max_amount })
  }

  loosen({ limit_id }: BankAccount): Promise<unknown> {
    return this.#call('PUT', `velocitylimits/${limit_id}`, { max_amount: major(FAR) })
  }

  /** Whether the tenant's own program is asked about each request. */
  async respond(wanted: boolean): Promise<void> {
    if (wanted === this.#responder) return
    const responder = wanted ? { listener: true, timeout_ms: 3_000 } : null
    await this.#call('PUT', 'tenantsettings', { responder })
    this.#responder = wanted
  }

  async setRate(from: string, { times, per }: Rate, decimals: number): Promise<void> {
    const rate = String((Number(times) / Number(per)) * 10 ** (decimals - 2))
    const rates = [{ from, to: 'AED', rate }]
    const { request, operator_key: key } = this.#world
    const asOperator: World['request'] = (method, path, body, options) =>
      request(method, path, body, { ...options, key })
    const body = { tenant_id: this.tenant.id, rates }
    await succeed(asOperator, 'PUT', '/v1/operator/rates', body)
  }

  /** A change of a status or of settings. */
  change(path: string, body: object): Promise<unknown> {
    return this.#call('PUT', path, body)
  }

  async #limit(owner: string): Promise<string> {
    const fields = { type: 'CUMULATIVE', period: 'LIFETIME', max_amount: major(FAR) }
    return linkLimit(this.#issuer, 'velocitylimits', owner, fields)
  }

  async #counted({ cards: [card] }: BankAccount, limit_id: string): Promise<bigint> {
    const ctx = await this.#world.ctx(this.tenant.id)
    const left = await patiently(() => availableOf(ctx, limit_id, card?.card_id ?? ''))
    return FAR - BigInt(Math.round(Number(left.available_amount) * 100))
  }

  #load(account_id: string, amount: bigint): Promise<unknown> {
    const body = { currency: 'AED', amount: major(amount) }
    return this.#call('POST', `accounts/${account_id}:loadfunds`, body)
  }

  #unload(account_id: string, amount: bigint): Promise<unknown> {
    const body = { currency: 'AED', amount: major(amount) }
    return this.#call('POST', `accounts/${account_id}:unloadfunds`, body)
  }

  #call(method: string, path: string, body?: object) {
    return succeed(this.#issuer.call, method, `/v1/${path}`, body)
  }
}

const major = (amount: bigint): number => Number(amount) / 100
