/** The program of a drill, in live: its processes, and a tenant with funded cards. */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { READY, SERVER } from '#lib/process/launch.ts'
import { DrillFault } from '../fault.ts'
import { type Running, start } from '../programs.ts'
import { freePort } from './free_port.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const CURRENCY = 'AED'
const FUNDS = { currency: CURRENCY, amount: 100_000 }
const UNLIMITED = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }
const BIN = '52000001'

export type Environment = Readonly<Record<string, string>>
/** The ports where clients reach a process. */
export type Ports = { http: number; network: number }
export const freePorts = async (): Promise<Ports> => ({
  http: await freePort(),
  network: await freePort(),
})
export type DrillCard = { id: string; account_id: string; pan: string }
export type Tenant = { id: string; api_key: string; card: object; cards: DrillCard[] }

// biome-ignore lint/suspicious/noExplicitAny: a drill looks into answers member by member.
export type Body = any

const inLive = (env: Environment) => ({ MODE: 'live', ...env })

/**
 * Starts a process of the program, of another checkout where `root` is given, and waits for it: so
 * long where it is given, as for one that migrates a cluster.
 */
export async function startProcess(
  env: Environment,
  { http, network }: Ports,
  root = ROOT,
  longest_ms?: number,
): Promise<Running> {
  const ports = { PORT: String(http), NETWORK_PORT: String(network) }
  const running = launch([SERVER], { ...env, ...ports }, root)
  await running.until(READY, longest_ms)
  return running
}

/** Runs a program of the project to its end, with the settings of the program. */
export async function runToEnd(
  args: readonly string[],
  env: Environment,
  root = ROOT,
): Promise<{ code: number | null; output: string }> {
  const running = launch(args, env, root)
  const code = await running.ended
  return { code, output: running.text() }
}

const launch = (args: readonly string[], env: Environment, cwd: string): Running =>
  start(process.execPath, args, { env: inLive(env), cwd })

/** The key that the first start in live has written. */
export const operatorKey = (data_dir: string): string =>
  readFileSync(join(data_dir, 'operator.key'), 'utf8').trim()

/** Asks the program; a fault where the answer is no success. */
export async function made(
  { http }: Pick<Ports, 'http'>,
  apikey: string,
  [method, path]: readonly [method: string, path: string],
  body?: object,
): Promise<Body> {
  const reply = await fetch(`http://127.0.0.1:${http}/v1${path}`, {
    method,
    headers: { apikey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new DrillFault(`${method} ${path} answered ${reply.status}: ${text}`)
  return JSON.parse(text)
}

/** Makes a tenant with so many funded cards of one user; no two tenants have one BIN. */
export async function makeTenant(
  ports: Ports,
  operator: string,
  count: number,
  bin = BIN,
): Promise<Tenant> {
  const byOperator = (method: string, path: string, body: object) =>
    made(ports, operator, [method, `/operator/tenants${path}`], body)
  const { id } = await byOperator('POST', '', { name: 'Drill' })
  await byOperator('PUT', `/${id}/settings`, { pci_compliant: true, ...UNLIMITED })
  const amount = FUNDS.amount * (count + 100)
  await byOperator('POST', `/${id}/funding`, { currency: CURRENCY, amount })
  const permissions = ['read', 'write', 'cards:reveal', 'cards:widget']
  const { key: api_key } = await byOperator('POST', `/${id}/keys`, { permissions })
  const ask = (path: string, body: object) => made(ports, api_key, ['POST', path], body)
  const product = await ask('/cardproducts', {
    name: 'Drill',
    currency: CURRENCY,
    bin,
    link_account_to_card: true,
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const user = await ask('/users', { first_name: 'Layla', last_name: 'Aziz' })
  const card = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  return addCards(ports, { id, api_key, card, cards: [] }, count)
}

/** The tenant with so many funded cards more. */
export async function addCards(ports: Ports, tenant: Tenant, count: number): Promise<Tenant> {
  const { api_key, card } = tenant
  const ask = (path: string, body: object) => made(ports, api_key, ['POST', path], body)
  const cards = [...tenant.cards]
  for (let at = 0; at < count; at += 1) {
    const { id, account_id } = await ask('/cards', card)
    await ask(`/accounts/${account_id}:loadfunds`, FUNDS)
    cards.push({ id, account_id, pan: await numberOf(ports, api_key, id) })
  }
  return { ...tenant, cards }
}

/** The number of a card, which only the master key opens. */
export async function numberOf(ports: Ports, api_key: string, id: string): Promise<string> {
  const { card_number } = await made(ports, api_key, ['GET', `/cards/${id}:reveal`])
  return card_number
}
