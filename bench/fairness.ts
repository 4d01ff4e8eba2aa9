/**
 * The effect of a busy, slow or locked tenant on the others: each measured alone and beside it, in
 * one run on one server. Open loops: the delay of a request that is sent late counts.
 */

import pg from 'pg'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { openReceiver } from '#test/support/services/receiver.ts'
import { type BenchTenant, openTarget } from './support/target.ts'

const SECONDS = Number(process.argv[3] ?? 10)
const CARDS = 20
const RATIO_MAX = 2
/** Each time is measured in so many turns. */
const ROUNDS = 4

type Once = () => Promise<boolean>
type Sample = { ms: number; good: boolean }
type Times = { p50: number; p99: number; failed: number }
/** Begins for so many seconds; resolves with what ends it. */
type Neighbour = (seconds: number) => Promise<() => Promise<void>>

const print = (line: string) => console.log(line)
print('Starting the program, three tenants and their cards …')
const target = await openTarget()
const [quiet, first, second] = [
  await target.tenant('quiet', CARDS),
  await target.tenant('first', CARDS),
  await target.tenant('second', CARDS),
]
print(`Measuring ${SECONDS} s each …\n`)
print(`${''.padEnd(58)}     alone            beside           p99`)
await lockedAccounts()
await busyTenant()
await slowEndpoints()
await target.close()

/** A1: one account of each of two tenants is locked; its messages keep coming. */
async function lockedAccounts(): Promise<void> {
  const network = await connectAcquirer({ port: target.network_port, patience: 10_000 })
  network.answerEchoes()
  await network.signOn()
  const pay = (tenant: BenchTenant, from: number, count: number): Once => {
    let turn = 0
    return async () => {
      turn += 1
      const card = tenant.cards[from + (turn % count)]
      const answer = await network.send(sale({ pan: card?.pan ?? '', amount: 100n }))
      return answer.fields[39] === '00'
    }
  }
  const locked = [quiet, first].map(({ cards }) => cards[0]?.account_id)
  const neighbour: Neighbour = async (seconds) => {
    const holder = new pg.Client({ connectionString: target.database_url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from accounts where id = any ($1::uuid[]) for update', [locked])
    const stuck = [quiet, first].map((tenant) => measure(pay(tenant, 0, 1), 10, seconds))
    return async () => {
      await holder.query('rollback')
      await holder.end()
      await Promise.all(stuck)
    }
  }
  const others = pay(quiet, 1, CARDS - 1)
  const third = pay(second, 1, CARDS - 1)
  await measure(others, 20, 2)
  await compare('A1 authorizations, an account of the tenant locked', others, 50, neighbour)
  await compare('A1 authorizations, accounts of two others locked', third, 50, neighbour)
  await network.close()
}

/**
 * A2: a neighbour asks at its default rate for expensive operations: cards, and loads of one
 * account.
 */
async function busyTenant(): Promise<void> {
  const read: Once = async () => {
    const [status] = await target.ask(quiet.api_key, 'GET', `/cards/${quiet.cards[0]?.id}`)
    return status === 200
  }
  let turn = 0
  const busyOnce: Once = async () => {
    turn += 1
    const [path, body] =
      turn % 2 === 0
        ? ['/cards', first.card_body]
        : [`/accounts/${first.cards[1]?.account_id}:loadfunds`, { currency: 'AED', amount: 1 }]
    const [status] = await target.ask(first.api_key, 'POST', path, body)
    return status === 200
  }
  await measure(read, 20, 2)
  await compare('A2 reads, another tenant at its default rate', read, 50, loadOf(busyOnce, 100))
}

/** A5: a neighbour's fifty endpoints never answer. */
async function slowEndpoints(): Promise<void> {
  const receiver = await openReceiver()
  const hanging = await openReceiver()
  hanging.answer(() => {})
  const subscribe = async ({ api_key }: BenchTenant, endpoint: string) => {
    const body = { endpoint, events: ['CARD_STATUS_CHANGE'] }
    const [status, answer] = await target.ask(api_key, 'POST', '/webhooks', body)
    if (status !== 200) throw new Error(`POST /webhooks: ${status} ${JSON.stringify(answer)}`)
  }
  await subscribe(quiet, receiver.url)
  for (let at = 0; at < 50; at += 1) await subscribe(first, `${hanging.url}?${at}`)
  const change = (tenant: BenchTenant, waits: boolean): Once => {
    let turn = 0
    return async () => {
      const card = tenant.cards[turn % CARDS]
      const isSuspended = Math.floor(turn / CARDS) % 2 === 1
      turn += 1
      const body = isSuspended
        ? { status: 'ACTIVE', status_reason_code: 'A0' }
        : { status: 'SUSPENDED', status_reason_code: 'S0' }
      const path = `/cards/${card?.id}:statuschange`
      const [status] = await target.ask(tenant.api_key, 'PUT', path, body)
      if (waits) await arrival(card?.id ?? '')
      return status === 200
    }
  }
  const arrival = async (card_id: string) => {
    const end = performance.now() + 60_000
    const isIt = ({ body }: { body: { card_status_change?: { card_id: string } } }) =>
      body.card_status_change?.card_id === card_id
    while (performance.now() < end) {
      const at = receiver.received.findIndex(isIt)
      if (at >= 0) return void receiver.received.splice(at, 1)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const delivered = change(quiet, true)
  // Endpoints that hang do so beyond their turn, so `alone` is measured before, not in between.
  await measure(delivered, 20, SECONDS / ROUNDS)
  const alone = await measure(delivered, 20, SECONDS)
  const end = await loadOf(change(first, false), 10)(SECONDS)
  const beside = await measure(delivered, 20, SECONDS)
  await end()
  report('A5 webhooks, fifty endpoints of another hang', timesOf(alone), timesOf(beside))
  await receiver.close()
  await hanging.close()
}

/** Alone and beside the neighbour in turn, so that other work on the machine affects both. */
async function compare(what: string, once: Once, rate: number, neighbour: Neighbour) {
  const alone: Sample[] = []
  const beside: Sample[] = []
  const seconds = SECONDS / ROUNDS
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await measure(once, rate, seconds)
    const end = await neighbour(seconds)
    const meanwhile = await measure(once, rate, seconds)
    await end()
    // The first turn opens connections and compiles; it is not counted.
    if (round === 0) continue
    alone.push(...before)
    beside.push(...meanwhile)
  }
  report(what, timesOf(alone), timesOf(beside))
}

function loadOf(once: Once, rate: number): Neighbour {
  return async (seconds) => {
    const load = measure(once, rate, seconds)
    return async () => void (await load)
  }
}

/** Makes so many calls a second, each measured from when it was due. */
async function measure(once: Once, rate: number, seconds: number): Promise<Sample[]> {
  const start = performance.now()
  const all: Promise<Sample>[] = []
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const due = start + (sent * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const good = once().catch(() => false)
    all.push(good.then((good) => ({ ms: performance.now() - due, good })))
  }
  return Promise.all(all)
}

function timesOf(samples: readonly Sample[]): Times {
  const times = samples.map(({ ms }) => ms).sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0
  return { p50: at(0.5), p99: at(0.99), failed: samples.filter(({ good }) => !good).length }
}

function report(what: string, alone: Times, beside: Times): void {
  const ms = ({ p50, p99 }: Times) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`.padStart(18)
  const ratio = beside.p99 / alone.p99
  const failed = beside.failed + alone.failed
  const verdict = ratio <= RATIO_MAX && failed === 0 ? 'met' : `target ${RATIO_MAX} ×, none failed`
  const outcome = `${ratio.toFixed(1)} ×, ${failed} failed (${verdict})`
  print(`${what.padEnd(54)}${ms(alone)}${ms(beside)}  ${outcome}`)
}
