/**
 * A day of orders that is cleared by file (D-1047), while the process of the shop and that of the
 * issuer are killed. In the end three books agree, and the files balance.
 */

import { formatDate } from '#lib/time.ts'
import { DrillFault } from './fault.ts'
import {
  ask,
  awaitCalm,
  CALM_MS,
  CUSTOMERS,
  compareSums,
  type Day,
  daysOf,
  openDay,
  reconcileDay,
  sell,
} from './orders/day.ts'
import { secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { type Body, made } from './stage/platform.ts'
import { until } from './stage/until.ts'
import type { Transcript } from './transcript.ts'

const ORDERS = Number(process.env['DRILL_ORDERS'] ?? 10_000)
const KILLS = 6
/** The clock of a tenant moves in a sandbox alone: in live the day ends at midnight. */
const SANDBOX = { MODE: 'sandbox' }
const DAY_MS = 86_400_000

const postedShare = (share: number) =>
  `select count(*) >= ${share} * (select count(*) from acquirer_presentments) as has_come
  from clearing_records where kind = 'PRESENTMENT' and state = 'POSTED'`

/** When both processes are killed, in this order. */
const MOMENTS: readonly [what: string, hasCome: string][] = [
  ['a file is written', 'select exists (select from acquirer_files) as has_come'],
  ['records are read', 'select exists (select from clearing_records) as has_come'],
  ['a quarter is posted', postedShare(0.25)],
  ['half is posted', postedShare(0.5)],
  ['three quarters are posted', postedShare(0.75)],
]

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  transcript.step('A shop and an issuer')
  transcript.explain(
    'Two processes of the program on one database: the shop has the APIs, the payment page and ' +
      'sweeps, the issuer the network port and sweeps. Payments go by ISO 8583, captures and ' +
      'refunds by file (`ISSUER_CLEARING=file`).',
  )
  const settings = { ...SANDBOX, ISSUER_CLEARING: 'file' }
  const day = await openDay(stack, transcript, { settings, issuer_roles: 'network,worker' })
  transcript.step('Either side is killed')
  transcript.explain(
    `${CUSTOMERS} customers make ${ORDERS.toLocaleString('en')} orders. ${KILLS} times a ` +
      'process is ended by SIGKILL, the shop and the issuer by turns, and started again.',
  )
  await sell(day, transcript, { orders: ORDERS, kills: KILLS })
  await awaitCalm(day.url, transcript)

  transcript.step('The day ends, and its files are posted')
  transcript.explain(
    'The clock of the tenant is moved over midnight. Whichever process is first writes the ' +
      'files, imports them and posts their records, several at a time. Both are killed at ' +
      'once as a file is written, as its records are read, and at each quarter of the records.',
  )
  const now = await clear(day, transcript)

  transcript.step('The books agree')
  transcript.explain(
    'What the shop was answered is compared with the orders and with the transactions of the ' +
      'issuer: each order that was answered as paid, captured or refunded is so, once, with ' +
      'that amount. Each file is posted whole, as its trailer says. The issuer posts on the day ' +
      'of the file: on the day of the orders its captures and refunds are open (`over_midnight`).',
  )
  await compareSums(day, transcript)
  await showFiles(day, transcript)
  const env = { ...day.env, ...SANDBOX }
  for (const date of await daysOf(day.url)) await reconcileDay(env, transcript, date, 'DAY')
  await reconcileDay(env, transcript, formatDate(now), 'NEXT DAY')
  await examine(transcript, env, 'nothing')
}

/** Answers the time on the clock of the tenant. */
async function clear(day: Day, transcript: Transcript): Promise<Date> {
  const { url, ports, api_key, restartBoth } = day
  const now = new Date((Math.floor(Date.now() / DAY_MS) + 1.5) * DAY_MS)
  const begun = Date.now()
  // A process that is killed meanwhile answers it; the clock stays where it was moved to.
  const move = made(ports, api_key, ['PUT', '/simulate/clock'], { now }).catch(() => {})
  for (const [what, text] of MOMENTS) {
    const hasCome = async () => {
      const [row] = await ask<{ has_come: boolean }>(url, text)
      return row?.has_come === true
    }
    await until(what, hasCome, CALM_MS)
    const killed = Date.now()
    await restartBoth()
    const took = secondsOf(Date.now() - killed)
    transcript.print(`${what}: both are killed, and back in ${took}`)
  }
  await move
  await until('no file waits', async () => (await waiting(url)) === 0, CALM_MS)
  transcript.print(`all is posted ${secondsOf(Date.now() - begun)} after the end of the day`)
  const isChecked = `select exists (select from clearing_files where state = 'CHECKING') as is_so`
  const isNone = async () => (await ask<{ is_so: boolean }>(url, isChecked))[0]?.is_so === false
  await until('no file is checked', isNone, CALM_MS)
  transcript.print('the imports that were killed are cleared away')
  return now
}

/** Captures and refunds that are in no file, and files that are not posted whole. */
async function waiting(url: string): Promise<number> {
  const [row] = await ask<{ count: string }>(
    url,
    `select (select count(*) from acquirer_presentments where due is not null)
      + (select count(*) from acquirer_files where due is not null) as count`,
  )
  return Number(row?.count)
}

type Written = { file: string; messages: number; amount: string }

/** Prints each file of the acquirer, and what the issuer has of it; a fault where that differs. */
async function showFiles({ url, ports, operator }: Day, transcript: Transcript): Promise<void> {
  const written = await ask<Written>(
    url,
    'select file, messages, amount from acquirer_files order by file',
  )
  const { data } = await made(ports, operator, ['GET', '/operator/clearings?limit=100'])
  if (data.length !== written.length) {
    throw new DrillFault(`${written.length} files were written, and ${data.length} imported`)
  }
  for (const [at, { file, messages, amount }] of written.entries()) {
    transcript.replace(file, `FILE ${at + 1}`)
    const one = data.find((each: Body) => each.file === file)
    const posted = (one?.sums ?? []).filter(({ state }: Body) => state === 'POSTED')
    const count = posted.reduce((all: number, each: Body) => all + each.count, 0)
    const sum = posted.reduce((all: number, each: Body) => all + Math.round(each.amount * 100), 0)
    transcript.print(`${file}: ${messages} messages of ${amount} written`)
    transcript.print(`  ${one?.state}: ${count} records of ${sum} posted`)
    if (one?.state !== 'POSTED' || count !== messages || sum !== Number(amount)) {
      throw new DrillFault(`file ${file} does not balance`)
    }
  }
}
