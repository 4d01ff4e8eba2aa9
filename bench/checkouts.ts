/**
 * Orders from checkout to capture: the shop opens a checkout, its customer reads the payment page
 * and sends the form, which is authorized over ISO 8583, and the shop captures.
 *
 *   npm run bench -- checkouts [seconds]
 */

import { randomUUID } from 'node:crypto'
import { FORM } from '#test/support/network/purchases.ts'
import { onServer } from '#test/support/processes/server.ts'
import { cpuOf } from './support/cpu.ts'
import { type BenchCard, openTarget } from './support/target.ts'

const SECONDS = Number(process.argv[3] ?? 10)
const CUSTOMERS = 32
const CARDS = 200
const WANTED = 150
const WARM_UP_SECONDS = 5
const RATES = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }

const STEPS = ['open the checkout', 'read the page', 'pay', 'capture'] as const
type Step = (typeof STEPS)[number]
type Taken = { ms: Record<Step, number>; good: boolean }

const print = (line: string) => console.log(line)
print(`Starting the program and issuing ${CARDS} cards …`)
const target = await openTarget()
const tenant = await target.tenant('bench', CARDS, RATES)
const token = await target.merchant(tenant.id)
print(`Warming up, ${WARM_UP_SECONDS} s …`)
await drive(WARM_UP_SECONDS)
// The server does so by itself in the first minutes of a tenant.
await onServer(target.database_url, async (client) => void (await client.query('vacuum analyze')))
await drive(WARM_UP_SECONDS)
print(`Measuring ${SECONDS} s, ${CUSTOMERS} customers at one time …`)
const own = process.cpuUsage()
const before = used()
const orders = await drive(SECONDS)
const after = used()
const { user, system } = process.cpuUsage(own)
await target.close()
report()

/** Microseconds of CPU until now. */
function used() {
  return { node: cpuOf(target.pids.node), postgres: cpuOf(target.pids.postgres) }
}

function report(): void {
  const good = orders.filter((order) => order.good).length
  const per_second = good / SECONDS
  const each = (microseconds: number) => (microseconds / orders.length).toFixed(0)
  const costs = [after.node - before.node, after.postgres - before.postgres, user + system]
  const [node = '', postgres = '', clients = ''] = costs.map(each)
  print(`\n${per_second.toFixed(0)} orders a second, checkout to captured (wanted ${WANTED})`)
  print(`CPU an order: Node ${node} µs, PostgreSQL ${postgres} µs; these clients ${clients} µs`)
  print(`failed: ${orders.length - good}\n`)
  print(`${''.padEnd(20)}   p50 ms   p99 ms   share of the time`)
  const sums = STEPS.map((step) => orders.reduce((sum, { ms }) => sum + ms[step], 0))
  const all = sums.reduce((sum, one) => sum + one, 0)
  for (const [at, step] of STEPS.entries()) {
    const times = orders.map(({ ms }) => ms[step]).sort((one, other) => one - other)
    const quantile = (share: number) => times[Math.floor(times.length * share)] ?? 0
    const [p50, p99] = [quantile(0.5), quantile(0.99)].map((ms) => ms.toFixed(1).padStart(8))
    const share = `${(((sums[at] ?? 0) / all) * 100).toFixed(0)} %`
    print(`${step.padEnd(20)} ${p50} ${p99}   ${share.padStart(6)}`)
  }
}

async function drive(seconds: number): Promise<Taken[]> {
  const end = performance.now() + seconds * 1_000
  const taken: Taken[] = []
  let turn = 0
  const customer = async () => {
    while (performance.now() < end) {
      const card = tenant.cards[turn++ % tenant.cards.length]
      if (card) taken.push(await buy(card))
    }
  }
  await Promise.all(Array.from({ length: CUSTOMERS }, customer))
  return taken
}

async function buy({ pan, cvv2, expiry_date }: BenchCard): Promise<Taken> {
  const ms = { 'open the checkout': 0, 'read the page': 0, pay: 0, capture: 0 }
  const ask = async (step: Step, method: string, url: string, body?: string, form = false) => {
    const begun = performance.now()
    const headers = form ? FORM : { authorization: `Bearer ${token}` }
    const reply = await target.clients.ask({ method, url, headers, body })
    ms[step] = performance.now() - begun
    return reply
  }
  const reference = randomUUID()
  const opened = await ask('open the checkout', 'POST', '/api/v1.0/checkouts', checkout(reference))
  if (opened.status !== 201) return { ms, good: false }
  const { pathname, search } = new URL(JSON.parse(opened.text).checkout_url)
  const page = await ask('read the page', 'GET', pathname + search)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const [year = '', month = ''] = expiry_date.slice(2).split('-')
  const fields = { form_token, card_number: pan, expiry: `${month}/${year}`, cvv2 }
  const form = new URLSearchParams(fields).toString()
  const paid = await ask('pay', 'POST', pathname + search, form, true)
  if (paid.status !== 303) return { ms, good: false }
  const captured = await ask('capture', 'POST', `/api/v1.0/orders/${reference}/capture`, '{}')
  return { ms, good: captured.status === 200 && JSON.parse(captured.text).status === 'SUCCESS' }
}

function checkout(reference: string): string {
  const shop = 'http://shop.example'
  const urls = { confirm_callback_url: `${shop}/confirm`, reject_callback_url: `${shop}/reject` }
  return JSON.stringify({ reference, total: '1.00', currency: 'AED', ...urls })
}
