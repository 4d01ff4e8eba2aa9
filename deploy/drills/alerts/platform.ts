/** Processes of the program on the drill's database, and what a tenant does by their API. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { READY, SERVER } from '#lib/process/launch.ts'
import { type Acquirer, connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { DrillFault } from '../fault.ts'
import { type Running, start } from '../programs.ts'
import { freePort } from '../stage/free_port.ts'

const LOADED = 100_000
/** Longer than any condition of the drill lasts. */
const PATIENCE_MS = 30_000

type Keys = {
  operator_key: string
  tenant: { id: string; api_key: string; card_product_id: string }
  merchant: { public_key: string; private_key: string }
}
// biome-ignore lint/suspicious/noExplicitAny: answers of the API, of many shapes.
type Answer = any

export type Card = { id: string; account_id: string; pan: string; expiry: string; cvv2: string }

export type Process = Running & { address: string; network_port: number }

export class Platform {
  readonly #folder: string
  readonly #env: Readonly<Record<string, string>>
  #api = ''

  /** `env` is that of all processes. */
  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#env = env
  }

  /** Starts a process with these roles; `port` where it takes that of an earlier one. */
  async start(roles: string, { env = {}, port, flags = [] }: Options = {}): Promise<Process> {
    const [chosen, network_port] = [port ?? (await freePort()), await freePort()]
    const running = start(process.execPath, [...flags, SERVER], {
      env: {
        ...this.#env,
        DATA_DIR: this.#folder,
        LOG_LEVEL: 'error',
        ROLES: roles,
        PORT: String(chosen),
        NETWORK_PORT: String(network_port),
        ...env,
      },
    })
    await running.until(READY)
    const address = `127.0.0.1:${chosen}`
    if (roles.includes('api')) this.#api = `http://${address}`
    return { ...running, address, network_port }
  }

  keys(): Keys {
    return JSON.parse(readFileSync(join(this.#folder, 'sandbox.json'), 'utf8'))
  }

  /** The answer's body; a fault where it is an error. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const reply = await this.ask(method, `/v1${path}`, body)
    const text = await reply.text()
    if (!reply.ok) throw new DrillFault(`${method} ${path} was answered ${reply.status}: ${text}`)
    return JSON.parse(text)
  }

  ask(method: string, path: string, body?: object, headers: object = {}): Promise<Response> {
    return fetch(`${this.#api}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: this.keys().tenant.api_key,
        ...(body && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    })
  }

  /** A card that may pay, with 100,000 on its account. */
  async card(): Promise<Card> {
    const { card_product_id } = this.keys().tenant
    const user = await this.call('POST', '/users', { first_name: 'Aisha', last_name: 'Khan' })
    const body = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' }
    const { id, account_id } = await this.call('POST', '/cards', body)
    const active = { status: 'ACTIVE', status_reason_code: 'A0' }
    await this.call('PUT', `/cards/${id}:statuschange`, active)
    const load = { currency: 'AED', amount: LOADED }
    await this.call('POST', `/accounts/${account_id}:loadfunds`, load)
    const { card_number, expiry_date, cvv2 } = await this.call('GET', `/cards/${id}:reveal`)
    return { id, account_id, pan: card_number, expiry: expiry_date, cvv2 }
  }

  /** A customer pays on the checkout page of a shop; the payment is a message to the issuer. */
  async pay(card: Card): Promise<void> {
    const { public_key, private_key } = this.keys().merchant
    const login = await this.ask('POST', '/api/v1.0/merchant/authentication/', {
      public_key,
      private_key,
    })
    const { token } = (await login.json()) as { token: string }
    const checkout = await this.ask(
      'POST',
      '/api/v1.0/checkouts/',
      {
        reference: `DRILL-${process.hrtime.bigint()}`,
        total: '10.00',
        currency: 'AED',
        confirm_callback_url: 'https://shop.example/thanks',
        reject_callback_url: 'https://shop.example/sorry',
      },
      { authorization: `Bearer ${token}`, apikey: '' },
    )
    const { checkout_url } = (await checkout.json()) as { checkout_url: string }
    const { pathname, search } = new URL(checkout_url)
    const page = await (await this.ask('GET', pathname + search)).text()
    const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const [year = '', month = ''] = card.expiry.split('-')
    const fields = { form_token, card_number: card.pan, expiry: `${month}/${year.slice(2)}` }
    const form = new URLSearchParams({ ...fields, cvv2: card.cvv2 })
    await (await this.ask('POST', pathname + search, form)).text()
  }
}

type Options = { env?: Readonly<Record<string, string>>; port?: number; flags?: string[] }

/** A connection of the card network that has signed on and answers echoes. */
export async function connect({ network_port }: Process): Promise<Acquirer> {
  const network = await connectAcquirer({ port: network_port, patience: PATIENCE_MS })
  await network.signOn()
  network.answerEchoes()
  return network
}

/**
 * Makes so many purchases at one time; returns the response codes, and `none` for those without an
 * answer.
 */
export async function buy(
  network: Acquirer,
  { pan }: Card,
  count: number,
  patience_ms = PATIENCE_MS,
): Promise<Codes> {
  const late = pause(patience_ms, undefined, { ref: false }).then(() => {
    throw new Error('no answer')
  })
  late.catch(() => {})
  const sales = Array.from({ length: count }, () =>
    Promise.race([network.send(sale({ pan, amount: 100n })), late]),
  )
  const codes: Codes = {}
  for (const { status, ...rest } of await Promise.allSettled(sales)) {
    const code = status === 'fulfilled' && 'value' in rest ? rest.value.fields[39] : undefined
    codes[code ?? 'none'] = (codes[code ?? 'none'] ?? 0) + 1
  }
  return codes
}

export type Codes = Record<string, number>

export function sumOf(all: readonly Codes[]): Codes {
  const sum: Codes = {}
  for (const [code, count] of all.flatMap((codes) => Object.entries(codes))) {
    sum[code] = (sum[code] ?? 0) + count
  }
  return sum
}
