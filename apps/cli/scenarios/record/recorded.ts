/** A transaction and its messages as steps of a scenario. Pure. */

import { stringify } from 'yaml'
import { isRepeat, mtiClass } from '#iso8583/mti.ts'
import { parseOriginal, parseReplacement } from '#iso8583/original.ts'
import { currencyOfNumeric } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import type { Scenario, StepOf } from '../file/schema.ts'
import { entryModes, type MessageData } from '../wire/messages.ts'

type Part = { number: string; value: string; masked: boolean; subfields?: readonly Part[] }

/** The members of `GET /v1/transactions/{id}` that are used. */
export type RecordedTransaction = {
  id: string
  status: string
  status_code: string
  amount: number
  currency: string
  billing_currency?: string
  billing_amount?: number
  rate?: string
  cleared_amount: number
  reference_transaction_id?: string
  events: readonly { status_code: string }[]
}
/** The members of `GET /v1/transactions/{id}/messages` that are used. */
export type RecordedMessage = {
  direction: 'RECEIVED' | 'SENT'
  mti: string
  fields: readonly Part[]
}
export type Recorded = { transaction: RecordedTransaction; messages: readonly RecordedMessage[] }

/** A message that has a step, which gets a name where a later message is about it. */
type StepMessage = { message: RecordedMessage; step: { as?: string | undefined }; name: string }
type Send = Partial<Omit<MessageData, 'send' | 'original'>> &
  Pick<MessageData, 'send'> & { as?: string; of?: string; name?: string }
type Expected = NonNullable<StepOf<'send'>['expect']>
type RecordedStep =
  | (Send & { expect: Expected })
  | { repeat: string; expect: Expected }
  | { [kind: string]: unknown }

const HEAD = '# yaml-language-server: $schema=../../docs/scenario.schema.json\n'
const NO_FUNDS = '1016'
const PARTIAL = '0002'
const WRONG_DATA = '1022'

/**
 * The text of a file. The transaction comes last; before it that to which it refers. Beside the
 * messages, objects are made up: an account with enough money, or with too little if that was the
 * reason of a decline.
 */
export function recordedScenario(transactions: readonly Recorded[]): string {
  const last = transactions.at(-1)?.transaction
  if (!last) throw new Error('no transaction was given')
  const { billing_currency = last.currency } = last
  const steps: RecordedStep[] = [cardholderOf(transactions), ...rateOf(last)]
  const sent: StepMessage[] = []
  for (const [at, recorded] of transactions.entries()) {
    const before = at === 0 ? undefined : 'first'
    steps.push(...stepsOf(recorded, at === 0 ? 'first' : 'second', before, sent))
  }
  const scenario: Pick<Scenario, 'name' | 'currency'> & { steps: RecordedStep[] } = {
    name: `Transaction ${last.id}`,
    currency: billing_currency,
    steps,
  }
  const blank = stringify(scenario, { lineWidth: 100 }).replaceAll('\n  - ', '\n\n  - ')
  return HEAD + blank.replace('steps:\n\n', 'steps:\n')
}

function cardholderOf(transactions: readonly Recorded[]): RecordedStep {
  const all = transactions.map(({ transaction }) => transaction)
  const codes = all.flatMap(({ events, status_code }) => [
    status_code,
    ...events.map((event) => event.status_code),
  ])
  const most = Math.max(...all.map(({ amount, billing_amount = amount }) => billing_amount))
  const isPartial = codes.includes(PARTIAL)
  const funds = isPartial || codes.includes(NO_FUNDS) ? (isPartial ? most : 0) : most * 2
  return {
    cardholder: {
      ...(funds > 0 && { funds }),
      ...(isPartial && { product: { partial_approval: true } }),
    },
  }
}

function rateOf({ currency, billing_currency, rate }: RecordedTransaction): RecordedStep[] {
  if (rate === undefined || billing_currency === undefined) return []
  const rates = [{ from: currency, to: billing_currency, rate }]
  return [{ call: 'setRates', as: 'operator', body: { tenant_id: '${tenant_id}', rates } }]
}

/** `sent` are the messages before these, to which they are added. */
function stepsOf(
  { transaction, messages }: Recorded,
  name: string,
  before: string | undefined,
  sent: StepMessage[],
): RecordedStep[] {
  const steps: RecordedStep[] = []
  for (const [at, message] of messages.entries()) {
    if (message.direction !== 'RECEIVED') continue
    const { 11: stan } = valuesOf(message)
    // A repeat has the trace number of its original, and an answer of its own behind it.
    const answer = messages
      .slice(at + 1)
      .find((one) => one.direction === 'SENT' && valuesOf(one)[11] === stan)
    const response_code = answer && valuesOf(answer)[39]
    const expect: Expected = { ...(response_code !== undefined && { response_code }) }
    const isFirst = steps.length === 0
    const repeated = isRepeat(message.mti) && sent.findLast((one) => isSame(one.message, message))
    if (repeated) {
      steps.push({ repeat: nameOf(repeated), expect })
      continue
    }
    // A repeat whose original has never arrived is sent like any other message.
    const original = originalOf(message, sent)
    const of = original ? nameOf(original) : isFirst ? before : name
    const as = isFirst ? name : undefined
    const step = { ...sendOf(message, transaction, of), as, expect }
    steps.push(step)
    sent.push({ message, step, name: isFirst ? name : `${name}_${steps.length}` })
  }
  const end = steps.at(-1)
  if (end) end['expect'] = { ...Object(end['expect']), ...endOf(transaction, name) }
  return steps
}

/** The message that DE90 names, where it is one of these. */
function originalOf(
  message: RecordedMessage,
  sent: readonly StepMessage[],
): StepMessage | undefined {
  const named = parseOriginal(valuesOf(message)[90] ?? '')
  if (!named) return undefined
  return sent.findLast(({ message: { mti, fields } }) => {
    const { 7: transmitted, 11: stan } = valuesOf({ ...message, fields })
    const isOfType = mtiClass(mti) === mtiClass(named.mti)
    return isOfType && stan === named.stan && transmitted === named.transmitted
  })
}

/** Whether one is the repeat of the other, which has its class, trace number and time. */
function isSame(one: RecordedMessage, other: RecordedMessage): boolean {
  const keyOf = (message: RecordedMessage) => {
    const { 7: transmitted, 11: stan } = valuesOf(message)
    return [mtiClass(message.mti), transmitted, stan].join()
  }
  return keyOf(one) === keyOf(other)
}

const nameOf = ({ step, name }: StepMessage): string => {
  step.as ??= name
  return step.as
}

function endOf(transaction: RecordedTransaction, of: string): Expected {
  const { status, amount, cleared_amount, status_code, events } = transaction
  return {
    of,
    status_code: events.at(-1)?.status_code ?? status_code,
    transaction: { status, amount, cleared_amount },
  }
}

type Values = { [de: number]: string | undefined }
const valuesOf = ({ fields }: RecordedMessage): Values =>
  Object.fromEntries(fields.map(({ number, value }) => [Number(number), value]))

function sendOf(
  message: RecordedMessage,
  { status_code }: RecordedTransaction,
  of: string | undefined,
): Send {
  const fields = valuesOf(message)
  const { 18: mcc, 22: entry = '', 42: id = '', 43: place = '' } = fields
  const entry_mode = modes.get(entry.slice(0, 2))
  const currency = currencyOfNumeric(fields[49] ?? '')
  const elements = new Set(
    message.fields.find(({ number }) => number === '48')?.subfields?.map(({ number }) => number),
  )
  const cvv2 = status_code === WRONG_DATA ? '${wrong_cvv2}' : '${cvv2}'
  const code = message.mti.startsWith('012') ? fields[39] : undefined
  return {
    send: kindOf(message.mti, fields, of),
    ...(of !== undefined && { of }),
    ...(currency && { amount: amountOf(fields, currency), currency }),
    ...(elements.has('92') && { cvv2 }),
    ...(elements.has('61') && { partial_approval: true }),
    ...(entry_mode && { entry_mode }),
    ...(code !== undefined && { response_code: code }),
    merchant: {
      ...(id.trim() && { id: id.trim() }),
      ...(place.slice(0, 25).trim() && { name: place.slice(0, 25).trim() }),
      ...(place.slice(25, 38).trim() && { city: place.slice(25, 38).trim() }),
      ...(/^[A-Z]{2}$/.test(place.slice(38, 40)) && { country: place.slice(38, 40) }),
      ...(mcc !== undefined && { mcc }),
    },
  }
}

const modes = new Map(Object.entries(entryModes).map(([mode, digits]) => [digits, mode as Mode]))
type Mode = keyof typeof entryModes

function kindOf(mti: string, { 3: code = '', 25: condition }: Values, of: string | undefined) {
  const type = code.slice(0, 2)
  if (mti.startsWith('04')) return 'reversal'
  if (mti.startsWith('022')) return 'completion'
  if (mti.startsWith('012')) return 'advice'
  if (type === '20') return 'refund'
  if (mti.startsWith('02')) return type === '01' ? 'withdrawal' : 'purchase'
  if (of !== undefined) return 'increment'
  return condition === '51' ? 'verification' : 'authorization'
}

/** For a partial reversal, the amount that is taken back. Major units. */
function amountOf({ 4: amount = '0', 95: replacement }: Values, currency: string): number {
  const remains = replacement === undefined ? undefined : parseReplacement(replacement)
  return formatAmount(BigInt(amount) - (remains?.actual ?? 0n), currency)
}
