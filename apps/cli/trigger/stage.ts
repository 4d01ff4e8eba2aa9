/**
 * Objects that a trigger needs in the sandbox: it makes those that no option names, and says so.
 */

import type {
  Bezant,
  Card,
  CreateCardProductBody,
  SimulateAuthorizationBody,
  Transaction,
} from '#client/index.ts'
import { ApiError } from '#client/index.ts'
import type { BezantMerchant } from '#client/merchant.ts'
import { closeAtEndSignal, listensToEndSignals } from '#lib/process/end_signals.ts'
import { zoneAtHour } from '#lib/time.ts'
import { moneyOf } from '../kit/amounts.ts'
import { withFreeBin } from '../kit/bins.ts'
import { Fault } from '../kit/faults.ts'
import type { NetworkAddress } from '../scenarios/wire/line.ts'

export type Fields = Partial<Omit<SimulateAuthorizationBody, 'card_id' | 'card_number'>>

export type TriggerOptions = {
  amount?: string
  currency?: string
  mcc?: string
  country?: string
  merchant?: string
  entryMode?: string
  card?: string
  user?: string
  transaction?: string
  /** `HOST:PORT` of the ISO 8583 port. */
  network?: string
}

/** One thing that happened, and the object that it happened to. */
export type Step = { what: string; id?: string }
export type Held = { id: string; account_id: string; user_id: string; currency: string }

/** A shop of the sandbox, by its merchant's keys. */
export type Shop = { merchant: BezantMerchant; baseUrl: string }
/** Keys that only the sandbox of this machine has. */
export type Sandbox = { operator: Bezant; tenant: string; shop: Shop }
type Settings = Record<string, unknown>

const FUNDS = 1_000
const AMOUNT = 10
const PRODUCT = 'bezant trigger'
const WAIT_MS = 20_000

export class Stage {
  readonly bezant: Bezant
  readonly options: TriggerOptions
  readonly steps: Step[] = []
  readonly #say: (step: Step) => void

  readonly #sandbox: Sandbox | undefined
  readonly #network: NetworkAddress | undefined

  constructor(
    bezant: Bezant,
    options: TriggerOptions,
    say: (step: Step) => void,
    sandbox?: Sandbox,
    network?: NetworkAddress,
  ) {
    this.bezant = bezant
    this.options = options
    this.#say = say
    this.#sandbox = sandbox
    this.#network = network
  }

  say(what: string, id?: string): void {
    const step = { what, ...(id !== undefined && { id }) }
    this.steps.push(step)
    this.#say(step)
  }

  /** The currency in the settings of the tenant, unless it is an option. */
  async currency(): Promise<string> {
    if (this.options.currency) return this.options.currency.toUpperCase()
    return (await this.bezant.settings.get()).default_currency ?? 'AED'
  }

  async newUser(fields: object = {}): Promise<string> {
    const body = { first_name: 'Layla', last_name: 'Haddad', email: 'layla@example.com', ...fields }
    const { id, status } = await this.bezant.users.create(body)
    this.say(`a user is created, ${status}`, id)
    return id
  }

  /** The user of the options, or a new one. */
  async user(): Promise<string> {
    return this.options.user ?? (await this.newUser())
  }

  /** The card of the options, or a new one that may pay. */
  async card(): Promise<Held> {
    const { card } = this.options
    return card === undefined ? this.newCard() : this.#held(await this.bezant.cards.get(card))
  }

  /** A user with a card and money; with terms, of a product of its own. */
  async newCard(
    terms?: Partial<CreateCardProductBody>,
    { funds = FUNDS, user = {}, card = {} }: { funds?: number; user?: object; card?: object } = {},
  ): Promise<Held> {
    const user_id = this.options.user ?? (await this.newUser(user))
    const card_product_id = await (terms ? this.newProduct(terms) : this.#usualProduct())
    const body = { user_id, card_product_id, card_type: 'VIRTUAL', ...card } as const
    const made = await this.bezant.cards.create(body)
    const held = await this.#held(made)
    this.say(`a card is created, ${made.masked_card_number}, ${made.status}`, made.id)
    if (funds > 0) {
      const load = { currency: held.currency, amount: funds }
      await this.bezant.accounts.loadFunds(held.account_id, load)
      this.say(`its account is loaded with ${moneyOf(funds, held.currency)}`, held.account_id)
    }
    return held
  }

  async #held({ id, account_id, user_id }: Card): Promise<Held> {
    if (!account_id || !user_id) throw new Fault(`card ${id} has no user or no account`)
    const { currency } = await this.bezant.accounts.get(account_id)
    return { id, account_id, user_id, currency }
  }

  async #usualProduct(): Promise<string> {
    const currency = await this.currency()
    for await (const product of this.bezant.cardProducts.list()) {
      if (product.name === PRODUCT && product.currency === currency) return product.id
    }
    return this.newProduct({})
  }

  async newProduct(terms: Partial<CreateCardProductBody>): Promise<string> {
    const currency = await this.currency()
    const name = Object.keys(terms).length > 0 ? `${PRODUCT} with own terms` : PRODUCT
    const status = { initial_status_of_virtual_card: 'ACTIVE' } as const
    const { id } = await withFreeBin((bin) =>
      this.bezant.cardProducts
        .create({ name, currency, bin, ...status, ...terms })
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'bin_taken') return undefined
          throw error
        }),
    )
    this.say('a card product is created', id)
    return id
  }

  /** A request of a shop, as the options and `fields` say; prints the decision. */
  async pay(card: Held, fields: Fields = {}): Promise<Transaction> {
    const { amount, mcc, country, merchant, entryMode } = this.options
    const currency = this.options.currency?.toUpperCase() ?? card.currency
    const shop = {
      id: merchant ?? 'TRIGGERSHOP',
      name: merchant ?? 'Trigger shop',
      ...(mcc && { mcc }),
      ...(country && { country }),
    }
    const read = entryMode && { entry_mode: entryMode as NonNullable<Fields['entry_mode']> }
    const made = await this.bezant.simulation.authorization({
      card_id: card.id,
      amount: amount ?? AMOUNT,
      currency,
      ...read,
      ...fields,
      merchant: { ...shop, ...fields.merchant },
    })
    // Without what_if the answer is a transaction.
    return this.decided(made as Transaction)
  }

  decided(made: Transaction, what?: string): Transaction {
    const { id, transaction_type, amount, currency, status_code, status_description } = made
    const kind = transaction_type.toLowerCase().replaceAll('_', ' ')
    const subject = what ?? `a ${kind} of ${moneyOf(amount, currency)}`
    const outcome = made.status === 'DECLINED' ? 'is declined' : `is ${made.status}`
    this.say(`${subject} ${outcome}: ${status_code} ${status_description}`, id)
    return made
  }

  /** The operator of the platform, who decides what a tenant may not. */
  operator(): Sandbox {
    if (this.#sandbox) return this.#sandbox
    throw new Fault(
      'this needs the keys of the operator and the shop: only the sandbox of this machine has them',
    )
  }

  /** The ISO 8583 port of the sandbox. */
  network(): NetworkAddress {
    if (this.#network) return this.#network
    throw new Fault(
      'this is a message to the ISO 8583 port of the sandbox: give --network HOST:PORT',
    )
  }

  shop(): Shop {
    return this.operator().shop
  }

  /** Runs with changed settings of the tenant, and puts them back afterwards. */
  withSettings<Result>(change: Settings, run: () => Promise<Result>): Promise<Result> {
    const { settings } = this.bezant
    return changed(
      change,
      () => settings.get(),
      (to) => settings.update(to),
      run,
    )
  }

  /** Runs in a time zone of the tenant in which it is this hour of the day. */
  async atHour<Result>(hour: number | undefined, run: () => Promise<Result>): Promise<Result> {
    if (hour === undefined) return run()
    const { now } = await this.bezant.simulation.getClock()
    const time_zone = zoneAtHour(hour, new Date(now))
    this.say(`the time zone of the tenant is ${time_zone} for this payment`)
    return this.withSettings({ time_zone }, run)
  }

  /** The same for settings that only the operator may change, whose key a sandbox has. */
  withOperatorSettings<Result>(change: Settings, run: () => Promise<Result>): Promise<Result> {
    const { operator, tenant } = this.operator()
    return changed(
      change,
      () => operator.operator.getSettings(tenant),
      (to) => operator.operator.updateSettings(tenant, to),
      run,
    )
  }

  async advance(duration: string): Promise<void> {
    const { now } = await this.bezant.simulation.moveClock({ advance: duration })
    this.say(`the clock of the tenant is moved by ${duration}, to ${now}`)
  }

  /** Runs until the event has come, behind the place of the feed where it began. */
  async until(kind: string, run: () => Promise<unknown>): Promise<void> {
    // An empty feed has no place yet: then it is read from its beginning.
    const { after } = await this.bezant.events.list({ after: 'latest' })
    await run()
    const signal = AbortSignal.timeout(WAIT_MS)
    for (let cursor = after; ; ) {
      const page = await this.bezant.events
        .list({ ...(cursor && { after: cursor }), wait: 5 }, { signal })
        .then((found) => found)
        .catch((error: unknown) => {
          if (signal.aborted) throw new Fault(`${kind} has not come in ${WAIT_MS / 1_000} s`)
          throw error
        })
      const found = page.data.find(({ event }) => event === kind)
      if (found) return this.say(`event ${kind}`, found.id)
      cursor = page.after ?? cursor
    }
  }
}

/**
 * Changes settings and puts them back, also after an error and if a signal ends the command. If
 * this process listens to such signals already, it ends only after all of this.
 */
async function changed<Result>(
  change: Settings,
  read: () => Promise<object>,
  write: (to: Settings) => Promise<unknown>,
  run: () => Promise<Result>,
): Promise<Result> {
  const before: Settings = { ...(await read()) }
  const back = Object.fromEntries(Object.keys(change).map((name) => [name, before[name] ?? null]))
  const putBack = async () => {
    // The writes keep their order, whichever the platform would take first.
    await changing.catch(() => {})
    await write(back)
  }
  const stopListening = listensToEndSignals() ? () => {} : closeAtEndSignal(putBack)
  const changing = write(change)
  try {
    await changing
    return await run()
  } finally {
    await putBack()
    stopListening()
  }
}
