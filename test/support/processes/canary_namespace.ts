/**
 * A machine of its own, in which every address is this one (AnyIP) and canaries listen on all of
 * them: the program registers endpoints, delivers with the guard against private addresses, and
 * then delivers the same without it. Run in a network and mount namespace; prints a Report as JSON.
 */

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { createOutgoing } from '#kit/net/fetch.ts'
import { newId } from '#lib/id.ts'
import { listDeliveries } from '../deliveries.ts'
import { madeUpEvent } from '../events.ts'
import { openNameServer, type Zone } from '../services/name_server.ts'
import { privateEndpoints } from '../services/private_endpoints.ts'
import { until } from '../services/receiver.ts'
import { openWorld, type TestTenant } from '../world.ts'

/** Subscriptions of one tenant. */
const SUBSCRIPTIONS = 50
const PORTS = [22, 25, 80, 443, 5432, 6379, 9999]
const FLIPS = process.env['TEST_DEEP'] === '1' ? 1_000 : 100
const PLAIN_MS = 3_000
const PUBLIC = '9.9.9.9'
const PRIVATE = '10.9.8.7'

/** `hits` are the addresses and ports of canaries that were connected to. */
export type Report = {
  has_ipv6: boolean
  /** Endpoints that a registration did not answer with 400. */
  registered: string[]
  targets: string[]
  /**
   * Results by target: how its delivery ended with the guard, and whether its canary was hit
   * without.
   */
  guarded: Record<string, string>
  guarded_hits: string[]
  control: Record<string, boolean>
  control_hits: string[]
  flips: { delivered: number; refused: number; hits: string[]; control_hits: string[] }
}

/** `public.example` and those that lead to it may be called; nothing else. */
const NAMES: Readonly<Record<string, ReturnType<Zone>>> = {
  'public.example': [PUBLIC],
  'public-chain.example': { cname: 'public.example' },
  'both.example': [PRIVATE, PUBLIC, 'fd00::1'],
  'private.example': [PRIVATE],
  'chain.example': { cname: 'a.chain.example' },
  'a.chain.example': { cname: 'b.chain.example' },
  'b.chain.example': ['169.254.169.254'],
  'six.example': ['fd00:ec2::254'],
  'mapped.example': ['::ffff:10.9.8.7'],
  'seven.example': { cname: 'six.example' },
  // The public name of this platform, as its own machine resolves it.
  'example.com': ['127.0.0.1'],
}
const TARGET_NAMES = Object.keys(NAMES).filter((name) => name.endsWith('.example'))

/** Names of this machine and of its network have private addresses. */
let flips = 0
const zone: Zone = (name, kind) => {
  if (name === 'flip.example') {
    if (kind === 'AAAA') return []
    flips += 1
    return [flips % 2 === 0 ? PUBLIC : PRIVATE]
  }
  return NAMES[name] ?? (/(^|\.)localhost$/.test(name) ? ['127.0.0.1'] : [PRIVATE])
}

function prepareNetwork(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-canary-'))
  const replace = (path: string, text: string) => {
    const file = join(folder, path.replaceAll('/', '_'))
    writeFileSync(file, text)
    execFileSync('mount', ['--bind', file, path])
  }
  replace('/etc/resolv.conf', 'nameserver 127.0.0.1\noptions timeout:5 attempts:2\n')
  replace('/etc/nsswitch.conf', 'hosts: dns\n')
  rmSync(folder, { recursive: true })
  const ip = (words: string) => execFileSync('ip', words.split(' '), { stdio: 'ignore' })
  ip('link set lo up')
  ip('route add local default dev lo')
  try {
    ip('-6 route add local default dev lo')
    return true
  } catch {
    return false
  }
}

const hits: string[] = []
const paths: string[] = []

async function openCanary(port: number, host: string): Promise<void> {
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(200, { connection: 'close' }).end()
  })
  server.on('connection', ({ localAddress, localPort }) => {
    hits.push(`${localAddress} ${localPort}`)
  })
  server.listen({ port, host, ipv6Only: host === '::' })
  await once(server, 'listening')
}

const has_ipv6 = prepareNetwork()
await openNameServer(zone)
for (const port of PORTS) {
  await openCanary(port, '0.0.0.0')
  if (has_ipv6) await openCanary(port, '::')
}
await using world = await openWorld()

async function registerGuarded(): Promise<string[]> {
  const { api_key: key } = await world.otherTenant({ allow_private_endpoints: false })
  const registered: string[] = []
  for (const endpoint of privateEndpoints) {
    const body = { endpoint, events: ['TRANSACTION'] }
    const { status } = await world.request('POST', '/v1/webhooks', body, { key })
    if (status !== 400) registered.push(endpoint)
  }
  return registered
}

const isHttp = (text: string) => URL.canParse(text) && new URL(text).protocol === 'http:'
const targets = [
  ...privateEndpoints.filter(isHttp),
  ...TARGET_NAMES.map((name) => `http://${name}/`),
]

/** Subscriptions to all targets, which no registration permits: each has a path of its own. */
async function subscribeAll(): Promise<TestTenant[]> {
  const tenants: TestTenant[] = []
  for (const [at, target] of targets.entries()) {
    if (at % SUBSCRIPTIONS === 0) tenants.push(await world.otherTenant())
    const key = tenants.at(-1)?.api_key ?? ''
    const body = { endpoint: `http://public.example/${at}`, events: ['TRANSACTION'] }
    const answer = await world.request('POST', '/v1/webhooks', body, { key })
    if (answer.status !== 200) throw new Error(`${target}: ${answer.text}`)
    await world.db
      .updateTable('webhooks')
      .set({ endpoint: `${target}${at}` })
      .where('id', '=', answer.body.id)
      .execute()
  }
  return tenants
}

const allowNone = async (tenants: readonly TestTenant[]) => {
  for (const { id } of tenants) {
    const settings = JSON.stringify({ allow_private_endpoints: false })
    await world.db.updateTable('tenants').set({ settings }).where('id', '=', id).execute()
  }
}

/** Calls the URL as a program without the guard does. */
const callPlainly = (url: string): Promise<void> =>
  new Promise((resolve) => {
    const asked = get(url, { agent: false, timeout: PLAIN_MS }, (answer) => {
      answer.resume()
      answer.on('close', resolve)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve())
  })

/** Once every delivery of the tenants has been tried so often, or has ended: how each ended. */
async function outcomes(tenants: readonly TestTenant[], attempts: number) {
  const all = async () =>
    (await Promise.all(tenants.map(({ id }) => listDeliveries(world.db, id)))).flat()
  const rows = await until('all are tried', async () => {
    const found = await all()
    const isTried = found.every((row) => row.attempts >= attempts || row.status === 'DELIVERED')
    return found.length === targets.length && isTried && found
  })
  const webhooks = await world.db.selectFrom('webhooks').select(['id', 'endpoint']).execute()
  const endpoints = new Map(webhooks.map(({ id, endpoint }) => [id, endpoint]))
  return rows.map((row) => {
    const at = Number(/\d+$/.exec(endpoints.get(row.webhook_id) ?? '')?.[0])
    return [targets[at] ?? '', row.error ?? row.status] as const
  })
}

async function flip(times: number) {
  const outgoing = createOutgoing()
  const found = { delivered: 0, refused: 0 }
  for (let time = 0; time < times; time += 1) {
    const call = { url: 'http://flip.example/', headers: {}, body: '{}', allow_private: false }
    const outcome = await outgoing.post(call)
    if (outcome.kind === 'answered') found.delivered += 1
    else if (outcome.kind === 'unanswered' && outcome.error === 'address refused')
      found.refused += 1
  }
  await outgoing.close()
  return { ...found, hits: hits.splice(0) }
}

const registered = await registerGuarded()
const tenants = await subscribeAll()
await allowNone(tenants)
for (const { id } of tenants) {
  await transact(await world.ctx(id), (tx) => emit(tx, madeUpEvent('TRANSACTION', newId())))
}
world.sweeper.start()
const guarded = Object.fromEntries(await outcomes(tenants, 1))
const guarded_hits = hits.splice(0)
await Promise.all(targets.map((target, at) => callPlainly(`${target}${at}`)))
const control_hits = hits.splice(0)
const isHit = (target: string, at: number) => {
  const { port } = new URL(target)
  return paths.includes(`/${at}`) || control_hits.includes(`127.0.0.1 ${port}`)
}
const control = Object.fromEntries(targets.map((target, at) => [target, isHit(target, at)]))
const guardedFlips = await flip(FLIPS)
for (let time = 0; time < 10; time += 1) await callPlainly('http://flip.example/')
const flipped = hits.splice(0)
const report: Report = {
  has_ipv6,
  registered,
  targets,
  guarded,
  guarded_hits,
  control,
  control_hits,
  flips: { ...guardedFlips, control_hits: flipped },
}
process.stdout.write(JSON.stringify(report))
// Canaries and the name server listen on.
setImmediate(() => process.exit(0))
