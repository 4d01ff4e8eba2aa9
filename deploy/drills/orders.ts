/**
 * A day of orders, while the process of the shop and that of the issuer are killed by turns. In the
 * end the books of both agree.
 */

import {
  awaitCalm,
  CUSTOMERS,
  compareSums,
  daysOf,
  openDay,
  reconcileDay,
  sell,
} from './orders/day.ts'
import { examine } from './stage/doctor.ts'
import type { Transcript } from './transcript.ts'

const ORDERS = Number(process.env['DRILL_ORDERS'] ?? 10_000)
const KILLS = 10

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  transcript.step('A shop and an issuer')
  transcript.explain(
    'Two processes of the program on one database: the shop has the APIs, the payment page and ' +
      'the sweeps, the issuer the network port. They speak ISO 8583 to each other.',
  )
  const day = await openDay(stack, transcript)
  transcript.step('Either side is killed')
  transcript.explain(
    `${CUSTOMERS} customers make ${ORDERS.toLocaleString('en')} orders. ${KILLS} times a ` +
      'process is ended by SIGKILL, the shop and the issuer by turns, and started again. A ' +
      'payment that the issuer does not answer is declined; the third time ends its checkout.',
  )
  await sell(day, transcript, { orders: ORDERS, kills: KILLS })

  transcript.step('What was under way ends')
  await awaitCalm(day.url, transcript)

  transcript.step('The books agree')
  transcript.explain(
    'What the shop was answered is compared with the orders and with the transactions of the ' +
      'issuer: each order that was answered as paid, captured or refunded is so, once, with ' +
      'that amount.',
  )
  await compareSums(day, transcript)
  for (const date of await daysOf(day.url)) await reconcileDay(day.env, transcript, date, 'DAY')
  await examine(transcript, day.env, 'nothing')
}
