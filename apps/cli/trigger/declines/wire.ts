/** Codes of messages that no call of the sandbox sends: these go over its ISO 8583 port. */

import { randomInt } from 'node:crypto'
import type { Transaction } from '#client/index.ts'
import { Fault } from '../../kit/faults.ts'
import type { MessageKind } from '../../scenarios/file/schema.ts'
import { Line } from '../../scenarios/wire/line.ts'
import { type MessageData, makeMessage } from '../../scenarios/wire/messages.ts'
import type { Stage } from '../stage.ts'
import type { Recipe } from './controls.ts'

const AMOUNT = 10
/** Trace numbers have six digits. */
const TRACES = 1_000_000
/** Its first digit is none of ISO/IEC 7813. */
const BAD_SERVICE_CODE = '311'

type Read = { card_number: string; expiry_date: string }
type Own = (card: Read) => Partial<MessageData>

/** A message of a new card, and the transaction that it has made. */
async function sent(stage: Stage, send: MessageKind, own: Own): Promise<Transaction> {
  const network = stage.network()
  const card = await stage.newCard()
  const read = await stage.bezant.cards.reveal(card.id)
  const { now } = await stage.bezant.simulation.getClock()
  const { currency } = card
  const { card_number } = read
  const counter = { stan: randomInt(TRACES - 1), now: new Date(now) }
  const data = { send, amount: AMOUNT, currency, card_number, ...own(read) }
  const { message } = makeMessage(data, counter)
  const line = new Line(network)
  try {
    const answer = await line.send(message)
    stage.say(`a message ${message.mti} is answered ${answer?.mti} ${answer?.fields[39]}`)
  } finally {
    line.close()
  }
  const { data: made } = await stage.bezant.transactions.list({ card_id: card.id, limit: 1 })
  const [newest] = made
  if (!newest) throw new Fault('the message has made no transaction')
  return stage.decided(newest, `the ${send}`)
}

const of = (code: string, about: string, send: MessageKind, own: Own = () => ({})): Recipe => ({
  code,
  about,
  run: (stage) => sent(stage, send, own),
})

/** Track 2 of a stripe, whose CVV is not looked at: its service code comes first. */
const stripe: Own = ({ card_number, expiry_date }) => ({
  entry_mode: 'MAGSTRIPE',
  fields: {
    35: `${card_number}=${expiry_date.slice(2).replace('-', '')}${BAD_SERVICE_CODE}00000123`,
  },
})

export const wire: readonly Recipe[] = [
  of('1846', 'a message without DE22', 'authorization', () => ({ fields: { 22: null } })),
  of('1848', 'a stripe with a service code that there is not', 'purchase', stripe),
  of('1856', 'the network declined for the issuer', 'advice', () => ({ response_code: '05' })),
  of('1857', 'a completion without its authorization', 'completion'),
  of('9104', 'a message without DE42', 'authorization', () => ({ fields: { 42: null } })),
  of('9114', 'a reversal of what the issuer never had', 'reversal'),
]
