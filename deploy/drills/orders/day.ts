/** A day of a shop: the processes of the shop and of the issuer, which are killed by turns. */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#kit/db/database.ts'
import { DrillFault } from '../fault.ts'
import { secondsOf } from '../stage/answers.ts'
import { folderOf } from '../stage/folder.ts'
import * as platform from '../stage/platform.ts'
import { makeServer } from '../stage/postgres.ts'
import { until } from '../stage/until.ts'
import type { Transcript } from '../transcript.ts'
import { type PayingCard, Shopper } from './shopper.ts'

const CARDS = 40
export const CUSTOMERS = 24
/** The longest time until the others have taken over the work of a killed process. */
export const CALM_MS = 5 * 60_000

const SIDES = ['shop', 'issuer'] as const
type Side = (typeof SIDES)[number]

export type Day = {
  url: string
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  /** The ports of the shop's process. */
  ports: platform.Ports
  operator: string
  /** The key of the tenant. */
  api_key: string
  restart: (side: Side) => Promise<void>
  /** Both are killed at once, and started again. */
  restartBoth: () => Promise<void>
  shopper: Shopper
}

type Opening = {
  /** Settings of both processes, as MODE. */
  settings?: platform.Environment
  /** Roles of the issuer's process. */
  issuer_roles?: string
}

export async function openDay(
  stack: AsyncDisposableStack,
  transcript: Transcript,
  { settings = {}, issuer_roles = 'network' }: Opening = {},
): Promise<Day> {
  const folder = folderOf(stack, transcript)
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  const ports = await platform.freePorts()
  const own = await platform.freePorts()
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const both = { ...env, ...issuerAt(ports), ...settings }
  const start = (side: Side) =>
    side === 'issuer'
      ? platform.startProcess({ ...both, ROLES: issuer_roles }, { ...own, network: ports.network })
      : platform.startProcess({ ...both, ROLES: 'api,worker' }, ports)
  const processes = { shop: await start('shop'), issuer: await start('issuer') }
  stack.defer(async () => {
    await Promise.all(SIDES.map((side) => processes[side][Symbol.asyncDispose]()))
  })
  const kill = async (side: Side) => {
    processes[side].kill('SIGKILL')
    await processes[side].ended
  }
  const restart = async (side: Side) => {
    await kill(side)
    processes[side] = await start(side)
  }

  const operator = operatorKeyOf(env.DATA_DIR, settings['MODE'])
  const { id, api_key, cards } = await platform.makeTenant(ports, operator, CARDS)
  const paying: PayingCard[] = []
  for (const card of cards) {
    const revealed = await platform.made(ports, api_key, ['GET', `/cards/${card.id}:reveal`])
    paying.push({ pan: card.pan, cvv2: revealed.cvv2, expiry_date: revealed.expiry_date })
  }
  const merchants = (path: string, body: object) =>
    platform.made(ports, operator, ['POST', `/operator/merchants${path}`], body)
  const merchant = await merchants('', { tenant_id: id, name: 'Day', city: 'Dubai' })
  const { public_key, private_key } = await merchants(`/${merchant.id}/keys`, {})
  const shopper = new Shopper(ports.http, { public_key, private_key }, paying)
  const restartBoth = async () => {
    await Promise.all(SIDES.map(kill))
    for (const side of SIDES) processes[side] = await start(side)
  }
  return { url: server.url(), env, ports, operator, api_key, restart, restartBoth, shopper }
}

const issuerAt = ({ network }: platform.Ports) => ({ ISSUER_ADDRESS: `127.0.0.1:${network}` })

const operatorKeyOf = (data_dir: string, mode: string | undefined): string =>
  mode === 'sandbox'
    ? JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8')).operator_key
    : platform.operatorKey(data_dir)

/** Customers make so many orders, while the processes are killed by turns. */
export async function sell(
  { shopper, restart }: Pick<Day, 'shopper' | 'restart'>,
  transcript: Transcript,
  { orders, kills }: { orders: number; kills: number },
): Promise<void> {
  const begun = Date.now()
  let next = 0
  let failed: unknown
  const customer = async () => {
    while (next < orders && failed === undefined) await shopper.buy(next++)
  }
  const selling = Promise.all(Array.from({ length: CUSTOMERS }, customer)).catch((error) => {
    failed = error
  })
  for (let kill = 1; kill <= kills; kill++) {
    const at = Math.round((orders * kill) / (kills + 1))
    await until(`order ${at} has begun`, () => next >= at || failed !== undefined, CALM_MS * 3)
    if (failed !== undefined) break
    const side = SIDES[kill % SIDES.length] ?? 'shop'
    const killed = Date.now()
    await restart(side)
    const took = secondsOf(Date.now() - killed)
    transcript.print(`order ${at.toLocaleString('en')}: the ${side} is killed, and back in ${took}`)
  }
  await selling
  if (failed !== undefined) throw failed
  const { paid, unpaid, captures, refunds, again } = shopper.counts
  const took = Date.now() - begun
  transcript.print(
    `${orders.toLocaleString('en')} orders in ${secondsOf(took)}: ${paid} paid, ${unpaid} not`,
  )
  transcript.print(
    `${captures} captures and ${refunds} refunds answered; asked again ${again} times`,
  )
}

/** Waits until no message is without an outcome, and no operation or checkout waits for one. */
export async function awaitCalm(url: string, transcript: Transcript): Promise<void> {
  const begun = Date.now()
  await until('nothing is under way', async () => (await underWay(url)) === 0, CALM_MS)
  transcript.print(`nothing is under way ${secondsOf(Date.now() - begun)} after the last order`)
}

async function underWay(url: string): Promise<number> {
  const [row] = await ask<{ count: string }>(
    url,
    `select (select count(*) from acquirer_messages where status in ('PENDING', 'REVERSING'))
      + (select count(*) from order_operations where status = 'PENDING')
      + (select count(*) from checkouts where status = 'PAYING') as count`,
  )
  return Number(row?.count)
}

/** The same in the orders and at the issuer as the shop was answered; a fault where it is not. */
export async function compareSums(
  { url, shopper }: Pick<Day, 'url' | 'shopper'>,
  transcript: Transcript,
): Promise<void> {
  const { captured, refunded } = shopper.sums
  const { paid, captures, refunds } = shopper.counts
  const [orders] = await ask<Record<string, string>>(
    url,
    `select count(*) as paid, count(*) filter (where captured > 0) as captures,
      count(*) filter (where refunded > 0) as refunds,
      sum(captured) as captured, sum(refunded) as refunded from orders`,
  )
  const [issuer] = await ask<Record<string, string>>(
    url,
    `select count(*) filter (where transaction_type = 'PURCHASE') as captures,
      count(*) filter (where transaction_type = 'REFUND') as refunds,
      coalesce(sum(cleared_amount) filter (where transaction_type = 'PURCHASE'), 0) as captured,
      coalesce(sum(cleared_amount) filter (where transaction_type = 'REFUND'), 0) as refunded
    from transactions where status = 'SETTLED'`,
  )
  const answered = { captures, refunds, captured, refunded }
  const rows = { 'the shop': { paid, ...answered }, orders, 'the issuer': issuer }
  for (const [name, row] of Object.entries(rows)) {
    const shown = Object.entries(row ?? {}).map(([what, value]) => `${what} ${value}`)
    transcript.print(`${name.padEnd(18)} ${shown.join(', ')}`)
  }
  const differs = Object.entries({ paid, ...answered }).some(([name, value]) => {
    const others = [orders, name === 'paid' ? orders : issuer]
    return others.some((row) => Number(row?.[name]) !== value)
  })
  if (differs) throw new DrillFault('the books differ')
}

/** A fault where a difference is found on a day. Open lines are counted, and not listed. */
export async function reconcileDay(
  env: platform.Environment,
  transcript: Transcript,
  day: string,
  word: string,
): Promise<void> {
  const args = ['apps/cli/bezant.mjs', 'reconcile', '--date', day]
  const { code, output } = await platform.runToEnd(args, env)
  const shown = output.split('\n').filter((line) => !line.startsWith('open ('))
  transcript.print(`$ bezant reconcile --date ${word}\n${shown.join('\n')}\nexit code ${code}`)
  if (code !== 0) throw new DrillFault(`the books of ${day} differ`)
  transcript.replace(day, word)
}

/** The days of the orders, UTC. */
export async function daysOf(url: string): Promise<string[]> {
  const days = await ask<{ day: string }>(
    url,
    `select distinct (created at time zone 'UTC')::date::text as day from orders order by day`,
  )
  return days.map(({ day }) => day)
}

/** Queries as the owner of the database. */
export async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const { pool, close } = openDatabase(url, 1)
  try {
    return (await pool.query<Row>(text)).rows
  } finally {
    await close()
  }
}
