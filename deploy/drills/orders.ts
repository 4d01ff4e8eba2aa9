/**
 * A day of orders, while the process of the shop and that of the issuer are killed by turns. In the
 * end the books of both agree.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '#kit/db/database.ts'
import { DrillFault } from './fault.ts'
import { type PayingCard, Shopper } from './orders/shopper.ts'
import type { Running } from './programs.ts'
import { secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import * as platform from './stage/platform.ts'
import { makeServer } from './stage/postgres.ts'
import { until } from './stage/until.ts'
import type { Transcript } from './transcript.ts'

const ORDERS = Number(process.env['DRILL_ORDERS'] ?? 10_000)
const KILLS = 10
const CARDS = 40
const CUSTOMERS = 24
/** The longest time until the others have taken over the work of a killed process. */
const CALM_MS = 5 * 60_000

const SIDES = ['shop', 'issuer'] as const
type Side = (typeof SIDES)[number]

type Stage = {
  url: string
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  processes: Record<Side, Running>
  restart: (side: Side) => Promise<void>
  shopper: Shopper
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const stage = await openStage(stack, transcript)
  transcript.step('Either side is killed')
  transcript.explain(
    `${CUSTOMERS} customers make ${ORDERS.toLocaleString('en')} orders. ${KILLS} times a ` +
      'process is ended by SIGKILL, the shop and the issuer by turns, and started again. A ' +
      'payment that the issuer does not answer is declined; the third time ends its checkout.',
  )
  await sell(stage, transcript)

  transcript.step('What was under way ends')
  const begun = Date.now()
  await until('nothing is under way', async () => (await underWay(stage.url)) === 0, CALM_MS)
  transcript.print(`nothing is under way ${secondsOf(Date.now() - begun)} after the last order`)

  transcript.step('The books agree')
  transcript.explain(
    'What the shop was answered is compared with the orders and with the transactions of the ' +
      'issuer: each order that was answered as paid, captured or refunded is so, once, with ' +
      'that amount.',
  )
  await compareSums(stage, transcript)
  await reconcileDays(stage, transcript)
  await examine(transcript, stage.env, 'nothing')
}

async function openStage(stack: AsyncDisposableStack, transcript: Transcript): Promise<Stage> {
  transcript.step('A shop and an issuer')
  transcript.explain(
    'Two processes of the program on one database: the shop has the APIs, the payment page and ' +
      'the sweeps, the issuer the network port. They speak ISO 8583 to each other.',
  )
  const folder = folderOf(stack, transcript)
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  const ports = await platform.freePorts()
  const own = await platform.freePorts()
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const start = (side: Side) =>
    side === 'issuer'
      ? platform.startProcess({ ...env, ROLES: 'network' }, { ...own, network: ports.network })
      : platform.startProcess({ ...env, ROLES: 'api,worker', ...issuerAt(ports) }, ports)
  const processes = { shop: await start('shop'), issuer: await start('issuer') }
  stack.defer(async () => {
    await Promise.all(SIDES.map((side) => processes[side][Symbol.asyncDispose]()))
  })

  const operator = platform.operatorKey(env.DATA_DIR)
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
  return {
    url: server.url(),
    env,
    processes,
    shopper: new Shopper(ports.http, { public_key, private_key }, paying),
    async restart(side) {
      processes[side].kill('SIGKILL')
      await processes[side].ended
      processes[side] = await start(side)
    },
  }
}

const issuerAt = ({ network }: platform.Ports) => ({ ISSUER_ADDRESS: `127.0.0.1:${network}` })

async function sell({ shopper, restart }: Stage, transcript: Transcript): Promise<void> {
  const begun = Date.now()
  let next = 0
  let failed: unknown
  const customer = async () => {
    while (next < ORDERS && failed === undefined) await shopper.buy(next++)
  }
  const selling = Promise.all(Array.from({ length: CUSTOMERS }, customer)).catch((error) => {
    failed = error
  })
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = Math.round((ORDERS * kill) / (KILLS + 1))
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
    `${ORDERS.toLocaleString('en')} orders in ${secondsOf(took)}: ${paid} paid, ${unpaid} not`,
  )
  transcript.print(
    `${captures} captures and ${refunds} refunds answered; asked again ${again} times`,
  )
}

/** Messages without an outcome, and operations and checkouts that wait for one. */
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
async function compareSums({ url, shopper }: Stage, transcript: Transcript): Promise<void> {
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

/** A fault where a difference is found on a day of the orders. */
async function reconcileDays({ url, env }: Stage, transcript: Transcript): Promise<void> {
  const days = await ask<{ day: string }>(
    url,
    `select distinct (created at time zone 'UTC')::date::text as day from orders order by day`,
  )
  for (const { day } of days) {
    const args = ['apps/cli/bezant.mjs', 'reconcile', '--date', day]
    const { code, output } = await platform.runToEnd(args, env)
    transcript.print(`$ bezant reconcile --date DAY\n${output}\nexit code ${code}`)
    if (code !== 0) throw new DrillFault(`the books of ${day} differ`)
    transcript.replace(day, 'DAY')
  }
}

/** Queries as the owner of the database. */
async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const { pool, close } = openDatabase(url, 1)
  try {
    return (await pool.query<Row>(text)).rows
  } finally {
    await close()
  }
}
