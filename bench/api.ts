/** The API beside bare Fastify with the same SQL, and its writes beside TPC-B, in one run. */

import { type ChildProcess, fork } from 'node:child_process'
import type { Bare } from './bare_server.ts'
import type { HttpLoad, HttpMeasured, HttpRequest } from './http_load.ts'
import { cpuOf } from './support/cpu.ts'
import { openTarget } from './support/target.ts'
import { drive, makeTpcbTables, tpcb } from './support/tpcb.ts'

const SECONDS = Number(process.argv[3] ?? 10)
const CONNECTIONS = 32
/** One tenant may have ten of the program's 25 connections; bare Fastify has as many. */
const POOL = 10
const CARDS = 200
const USERS = 200
const PAGE = 50
const RATES = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }

const CARD = `select *, (select p.currency from card_products p
  where p.tenant_id = cards.tenant_id and p.id = cards.card_product_id) as currency
  from cards where tenant_id = $1`

type Side = { port: number; node: number; requests: HttpRequest[]; unique_header?: string }
type Result = HttpMeasured & { node_us: number; postgres_us: number; p99_at_half: number }

const print = (line: string) => console.log(line)
const cell = (value: number, width: number, digits = 0) => value.toFixed(digits).padStart(width)
print(`Starting the program and issuing ${CARDS} cards …`)
const target = await openTarget()
const tenant = await target.tenant('bench', CARDS, RATES)
await makeTpcbTables(target.database_url)
const load = fork(new URL('./http_load.ts', import.meta.url))
const bare = fork(new URL('./bare_server.ts', import.meta.url))
const bare_port = await openBare()

const ours = { port: target.http_port, node: target.pids.node }
const theirs = { port: bare_port, node: bare.pid ?? 0 }
const get = (path: string): HttpRequest => ({ method: 'GET', path, apikey: tenant.api_key })
const post = (path: string, body: object): HttpRequest => ({
  ...{ method: 'POST', path: `/v1${path}`, apikey: tenant.api_key },
  body: JSON.stringify(body),
})
const one = (prefix: string) => tenant.cards.map(({ id }) => get(`${prefix}/cards/${id}`))
const page = (prefix: string) => [get(`${prefix}/cards?limit=${PAGE}`)]
const loads = tenant.cards.map(({ account_id }) =>
  post(`/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 1 }),
)

print(`Measuring ${SECONDS} s each, ${CONNECTIONS} connections …\n`)
print(
  `${''.padEnd(34)} a second   p50 ms   p99 ms   p99 at half   Node µs   PostgreSQL µs  against`,
)
const bareCard = await row('one card, bare Fastify', { ...theirs, requests: one('') })
await row('one card', { ...ours, requests: one('/v1') }, bareCard, 0.6)
const barePage = await row(`${PAGE} cards, bare Fastify`, { ...theirs, requests: page('') })
await row(`${PAGE} cards`, { ...ours, requests: page('/v1') }, barePage, 0.5)
const yardstick = await tpcbRow()
const keyed = { unique_header: 'x-bezant-idempotency-key' }
await row(':loadfunds with a key', { ...ours, ...keyed, requests: loads }, yardstick, 0.5)
const cards = await cardBodies()
await row('POST /v1/cards', { ...ours, requests: cards }, { per_second: 400 }, 1)
load.kill()
bare.kill()
await target.close()

/** Each card is of one of these users in turn: the accounts of one are opened one by one. */
async function cardBodies(): Promise<HttpRequest[]> {
  const bodies: HttpRequest[] = []
  for (let at = 0; at < USERS; at++) {
    const names = { first_name: 'Layla', last_name: `Aziz ${at}` }
    const [, user] = await target.ask(tenant.api_key, 'POST', '/users', names)
    bodies.push(post('/cards', { ...tenant.card_body, user_id: user.id }))
  }
  return bodies
}

async function openBare(): Promise<number> {
  const started = answerOf<{ port: number }>(bare)
  const settings: Bare = {
    ...{ database_url: target.database_url, connections: POOL, tenant_id: tenant.id },
    card: `${CARD} and id = $2`,
    cards: `${CARD} order by created desc, id desc limit $2`,
  }
  bare.send(settings)
  return (await started).port
}

async function row(
  name: string,
  side: Side,
  against?: { per_second: number },
  wanted = 0,
): Promise<Result> {
  const result = await measure(side)
  const share = against ? result.per_second / against.per_second : 0
  const compared = against ? `${share.toFixed(2)} × (wanted ${wanted})` : ''
  const { per_second, p50, p99, p99_at_half, node_us, postgres_us } = result
  const times = `${cell(p50, 9, 1)}${cell(p99, 9, 1)}${cell(p99_at_half, 14, 1)}`
  const cpu = `${cell(node_us, 10)}${cell(postgres_us, 16)}`
  print(`${name.padEnd(34)}${cell(per_second, 9)}${times}${cpu}  ${compared}`)
  if (result.failed > 0) print(`  ${result.failed} requests failed`)
  return result
}

/** Measures a side at its limit, and then at half of that with each request at its own instant. */
async function measure({ port, node, requests, unique_header }: Side): Promise<Result> {
  const all: HttpLoad = {
    ...{ port, requests, connections: CONNECTIONS, seconds: SECONDS },
    ...(unique_header !== undefined && { unique_header }),
  }
  await run({ ...all, seconds: 1 })
  const [node_before, postgres_before] = [cpuOf(node), cpuOf(target.pids.postgres)]
  const most = await run(all)
  const requests_made = most.per_second * SECONDS
  const node_us = (cpuOf(node) - node_before) / requests_made
  const postgres_us = (cpuOf(target.pids.postgres) - postgres_before) / requests_made
  const half = await run({ ...all, open: most.per_second / 2 })
  return { ...most, node_us, postgres_us, p99_at_half: half.p99 }
}

async function run(given: HttpLoad): Promise<HttpMeasured> {
  const measured = answerOf<HttpMeasured>(load)
  load.send(given)
  return measured
}

/** The next message of a process. */
function answerOf<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as Message)
    })
  })
}

async function tpcbRow(): Promise<{ per_second: number }> {
  const before = cpuOf(target.pids.postgres)
  const { per_second, client } = await drive(target.database_url, tpcb, CONNECTIONS, SECONDS)
  const postgres_us = (cpuOf(target.pids.postgres) - before) / (per_second * SECONDS)
  const name = `TPC-B, ${client}`.padEnd(34)
  print(`${name}${cell(per_second, 9)}${cell(postgres_us, 58)}`)
  return { per_second }
}
