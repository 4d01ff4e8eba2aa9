/** Reads a settlement file of the acquirer line by line, and refuses what it is not (D-765). */

import { isCurrency } from '#lib/currency.ts'
import { parseAmount } from '#lib/money.ts'
import { isDate, parseInstant } from '#lib/time.ts'
import { dayOf, isWithin } from '../reconciliation/rules/day.ts'
import { decimal } from '../reconciliation/rules/words.ts'
import { COLUMNS, fileName, recordTypes, type SettlementRecord, type Sum } from './file.ts'
import { FileRefused, linesOf, refuse } from './lines.ts'

/** A RECORD with its number in the file. */
export type Claim = SettlementRecord & { number: number }

/** The facts of a whole file; its sums and counts are those of its records. */
export type Facts = { file: string; date: string; records: number; sums: Sum[] }

/** The comparison keeps something of each record in memory. */
const RECORDS_MAX = 1_000_000

type Column = (typeof COLUMNS)[number]
type Cells = Readonly<Record<Column, string>>

/** The cells of each kind of line; all others are empty. */
const CELLS = {
  HEADER: ['file', 'acquirer_id', 'date'],
  RECORD: [
    ...(['number', 'type', 'rrn', 'stan', 'transmitted', 'approval_code'] as const),
    ...(['card_acceptor_id', 'terminal_id', 'amount', 'currency', 'time'] as const),
  ],
  SUM: ['type', 'currency', 'count', 'amount'],
  TRAILER: ['file', 'count'],
} as const satisfies Record<string, readonly Column[]>
type Kind = keyof typeof CELLS

const SHAPES: Partial<Record<Column, RegExp>> = {
  type: /^(CAPTURE|REFUND|CHARGEBACK|CHARGEBACK_REVERSAL|CHARGEBACK_FEE)$/,
  rrn: /^[0-9A-Za-z]{12}$/,
  stan: /^[0-9]{6}$/,
  transmitted: /^[0-9]{10}$/,
  approval_code: /^([0-9A-Za-z ]{6})?$/,
  card_acceptor_id: /^[ -~]{1,15}$/,
  terminal_id: /^[ -~]{1,8}$/,
  count: /^(0|[1-9][0-9]{0,8})$/,
}

/** More digits than the sum of RECORDS_MAX amounts can have. */
const SUM = /^[0-9]{1,24}(\.[0-9]{1,4})?$/

/**
 * The records of a file in portions of `portion`. Returns what the file says of itself once it is
 * whole; nothing of it counts before. Throws FileRefused. `acquirer_id` is the one whose file it
 * has to be.
 */
export async function* readSettlement(
  bytes: AsyncIterable<Buffer>,
  acquirer_id: string,
  portion: number,
): AsyncGenerator<Claim[], Facts> {
  const reader = new Reader(acquirer_id)
  let claims: Claim[] = []
  for await (const line of linesOf(bytes)) {
    const claim = reader.take(line)
    if (claim) claims.push(claim)
    if (claims.length < portion) continue
    yield claims
    claims = []
  }
  if (claims.length > 0) yield claims
  return reader.end()
}

class Reader {
  readonly #acquirer_id: string
  readonly #sums = new Map<string, Sum>()
  /** Sums that no SUM line has named yet. */
  readonly #unnamed = new Set<string>()
  #line = 0
  #last: Kind | 'COLUMNS' | undefined
  #head = { file: '', date: '' }
  #records = 0

  constructor(acquirer_id: string) {
    this.#acquirer_id = acquirer_id
  }

  take(text: string): Claim | undefined {
    this.#line += 1
    if (this.#last === undefined) {
      this.#last = 'COLUMNS'
      if (text === COLUMNS.join(',')) return undefined
      return refuse(1, 'has not the names of the columns of a settlement file')
    }
    if (this.#last === 'TRAILER') this.#refuse('follows the TRAILER')
    const [kind, cells] = this.#cellsOf(text)
    this.#follow(kind)
    if (kind === 'RECORD') return this.#record(cells)
    if (kind === 'HEADER') this.#header(cells)
    else if (kind === 'SUM') this.#sum(cells)
    else this.#trailer(cells)
    return undefined
  }

  end(): Facts {
    if (this.#last !== 'TRAILER') {
      throw new FileRefused('the file has no TRAILER as its last line: it is not whole')
    }
    return { ...this.#head, records: this.#records, sums: [...this.#sums.values()] }
  }

  #cellsOf(text: string): [Kind, Cells] {
    if (text.includes('"')) this.#refuse('has a quotation mark, which no value has')
    const values = text.split(',')
    if (values.length !== COLUMNS.length) {
      this.#refuse(`has ${values.length} cells, and the file has ${COLUMNS.length} columns`)
    }
    // There are as many values as columns.
    const cells = Object.fromEntries(
      COLUMNS.map((name, at) => [name, values[at] ?? '']),
    ) as unknown as Cells
    const kind = cells.record
    if (!isKind(kind)) return this.#refuse('is neither HEADER, RECORD, SUM nor TRAILER')
    const own: readonly Column[] = ['record', ...CELLS[kind]]
    const stray = COLUMNS.find((name) => cells[name] !== '' && !own.includes(name))
    if (stray !== undefined) this.#refuse(`is a ${kind} and has a cell ${stray}`)
    for (const name of own) {
      if (SHAPES[name]?.test(cells[name]) === false) this.#refuse(`has a wrong ${name}`)
    }
    return [kind, cells]
  }

  /** HEADER, RECORDs, SUMs, TRAILER. */
  #follow(kind: Kind): void {
    const before = { HEADER: ['COLUMNS'], RECORD: ['HEADER', 'RECORD'], SUM: ['RECORD', 'SUM'] }
    const last = this.#last ?? ''
    if (kind === 'TRAILER') {
      if (last === 'COLUMNS') this.#refuse('is a TRAILER, and the file has no HEADER')
    } else if (!before[kind].includes(last)) this.#refuse(`is a ${kind} in the wrong place`)
    this.#last = kind
  }

  #header({ file, acquirer_id, date }: Cells): void {
    if (!/^[0-9]{1,11}$/.test(acquirer_id)) this.#refuse('has a wrong acquirer_id')
    if (acquirer_id !== this.#acquirer_id) {
      this.#refuse(`is of the acquirer ${acquirer_id}, and not of ${this.#acquirer_id}`)
    }
    if (!isDate(date)) this.#refuse('has a wrong date')
    if (file !== fileName(acquirer_id, date)) this.#refuse('has a file of another acquirer or day')
    this.#head = { file, date }
  }

  #record(cells: Cells): Claim {
    const { currency, time, number: text } = cells
    const number = this.#records + 1
    if (text !== String(number)) this.#refuse(`has not the number ${number}`)
    if (number > RECORDS_MAX) this.#refuse(`is beyond the ${RECORDS_MAX} records of a file`)
    const amount = this.#amount(cells)
    if (amount === 0n) this.#refuse('has a wrong amount')
    const at = parseInstant(time)
    if (!at || !time.endsWith('Z')) return this.#refuse('has a wrong time')
    if (!isWithin(dayOf(this.#head.date), at)) this.#refuse('has a time of another day')
    this.#records = number
    const type = recordTypes.find((one) => one === cells.type) ?? this.#refuse('has a wrong type')
    const key = `${currency} ${type}`
    const sum = this.#sums.get(key) ?? { type, currency, count: 0, amount: 0n }
    this.#sums.set(key, { ...sum, count: sum.count + 1, amount: sum.amount + amount })
    this.#unnamed.add(key)
    const { rrn, stan, transmitted, approval_code, card_acceptor_id, terminal_id } = cells
    const message = { type, rrn, stan, transmitted, approval_code } as const
    return {
      number,
      ...message,
      card_acceptor_id,
      terminal_id,
      amount,
      currency,
      time: at,
    }
  }

  #amount({ amount, currency }: Cells): bigint {
    if (!isCurrency(currency)) return this.#refuse('has a wrong currency')
    const read = parseAmount(amount, currency)
    // The amount has all decimals of the currency, as in our own files.
    const isWhole = read.ok && decimal(read.minor, currency) === amount
    return isWhole ? read.minor : this.#refuse('has a wrong amount')
  }

  /** A sum may have more digits than an amount (D-794). */
  #sum({ type, currency, count, amount }: Cells): void {
    if (!isCurrency(currency)) this.#refuse('has a wrong currency')
    if (!SUM.test(amount)) this.#refuse('has a wrong amount')
    const key = `${currency} ${type}`
    const own = this.#unnamed.delete(key) ? this.#sums.get(key) : undefined
    const sum = own ?? this.#refuse('is the SUM of no records, or a second one')
    if (String(sum.count) !== count) {
      this.#refuse(`counts ${count} records, and the file has ${sum.count} of them`)
    }
    const total = decimal(sum.amount, sum.currency)
    if (total !== amount) {
      this.#refuse(`sums to ${amount}, and the records of the file to ${total}`)
    }
  }

  #trailer({ file, count }: Cells): void {
    if (file !== this.#head.file) this.#refuse('has a file of another acquirer or day')
    if (count !== String(this.#records)) {
      this.#refuse(`counts ${count} records, and the file has ${this.#records}`)
    }
    const [lacking] = this.#unnamed
    if (lacking !== undefined) this.#refuse(`comes before the SUM of ${lacking}`)
  }

  #refuse(fault: string): never {
    return refuse(this.#line, fault)
  }
}

const isKind = (text: string): text is Kind => Object.hasOwn(CELLS, text)
