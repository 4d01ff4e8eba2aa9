/** The whole program as a process of its own on a server of its own, with tenants to load it. */

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { launchServer } from '#lib/process/launch.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { type Clients, createClients } from '#test/support/clients.ts'

const FUNDS = { currency: 'AED', amount: 1_000_000 }

export type BenchCard = {
  id: string
  account_id: string
  pan: string
  cvv2: string
  /** YYYY-MM. */
  expiry_date: string
}
/** `card_body` is what issues another card. */
export type BenchTenant = { id: string; api_key: string; cards: BenchCard[]; card_body: object }
// biome-ignore lint/suspicious/noExplicitAny: a bench looks into answers member by member.
export type Body = any

export type Target = {
  database_url: string
  network_port: number
  http_port: number
  operator_key: string
  /** Processes of the program and of its server. */
  pids: { node: number; postgres: number }
  /** Requests to any path of the program. */
  clients: Clients
  /** The status and the body of an answer. */
  ask: (key: string, method: string, path: string, body?: object) => Promise<[number, Body]>
  /** A tenant with so many funded cards of active users. */
  tenant: (name: string, cards: number, settings?: object) => Promise<BenchTenant>
  /** The bearer token of a new merchant of the tenant. */
  merchant: (tenant_id: string) => Promise<string>
  close: () => Promise<void>
}

/** `env` is beside that of its server and its folder. */
export async function openTarget(env: Readonly<Record<string, string>> = {}): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-bench-'))
  // The account of the server of root has to enter it: the cluster would be elsewhere, and stay.
  chmodSync(folder, 0o711)
  const server = await startEmbedded({ data_dir: join(folder, 'server') })
  const DATA_DIR = join(folder, 'data')
  const program = await launchServer({ ...env, DATA_DIR, DATABASE_URL: server.url })
  const file: SandboxFile = JSON.parse(readFileSync(join(DATA_DIR, 'sandbox.json'), 'utf8'))
  const http_port = Number(new URL(file.base_url).port)
  const clients = createClients(http_port)
  const ask: Target['ask'] = async (apikey, method, path, body) => {
    const sent = body && JSON.stringify(body)
    const reply = await clients.ask({ method, url: `/v1${path}`, headers: { apikey }, body: sent })
    return [reply.status, JSON.parse(reply.text)]
  }
  const made = async (key: string, path: string, body: object, method = 'POST'): Promise<Body> => {
    const [status, answer] = await ask(key, method, path, body)
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const operator = file.operator_key
  let bins = 0
  return {
    database_url: server.url,
    network_port: file.network.port,
    http_port,
    operator_key: operator,
    pids: { node: program.pid, postgres: server.pid },
    clients,
    ask,
    async merchant(tenant_id) {
      const { id } = await made(operator, '/operator/merchants', { tenant_id, name: 'Shop' })
      const keys = await made(operator, `/operator/merchants/${id}/keys`, {})
      const { text } = await clients.ask({
        method: 'POST',
        url: '/api/v1.0/merchant/authentication',
        headers: {},
        body: JSON.stringify({ public_key: keys.public_key, private_key: keys.private_key }),
      })
      return JSON.parse(text).token
    },
    async tenant(name, count, given = {}) {
      const { id, api_key } = await made(operator, '/operator/tenants', { name })
      const settings = { pci_compliant: true, ...given }
      await made(operator, `/operator/tenants/${id}/settings`, settings, 'PUT')
      const funding = { ...FUNDS, amount: FUNDS.amount * (count + 10) }
      await made(operator, `/operator/tenants/${id}/funding`, funding)
      const scopes = { permissions: ['read', 'write', 'cards:reveal', 'cards:widget'] }
      const { key = api_key } = await made(operator, `/operator/tenants/${id}/keys`, scopes)
      bins += 1
      const product = await made(key, '/cardproducts', {
        name,
        currency: 'AED',
        initial_status_of_virtual_card: 'ACTIVE',
        bin: String(52_000_000 + bins),
        link_account_to_card: true,
      })
      const user = await made(key, '/users', { first_name: 'Layla', last_name: 'Aziz' })
      const card_body = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
      const cards: BenchCard[] = []
      for (let at = 0; at < count; at += 1) {
        const { id: card_id, account_id } = await made(key, '/cards', card_body)
        await made(key, `/accounts/${account_id}:loadfunds`, FUNDS)
        const [, revealed] = await ask(key, 'GET', `/cards/${card_id}:reveal`)
        const { card_number: pan, cvv2, expiry_date } = revealed
        cards.push({ id: card_id, account_id, pan, cvv2, expiry_date })
      }
      return { id, api_key: key, cards, card_body }
    },
    async close() {
      clients.close()
      await program[Symbol.asyncDispose]()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
