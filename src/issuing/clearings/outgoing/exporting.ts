/**
 * The outgoing clearing file (D-1063, D-1131). A message is stored in the transaction in which it
 * leaves: the step SENT of its dispute, or the end of the wait of a returned record. One process at
 * a time adds messages to the file that is open, a portion at a time. If it ends in between, the
 * next export goes on with it; a file that is closed never changes.
 */

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { recordOf } from '#clearing/json.ts'
import type { ClearingRecord } from '#clearing/record.ts'
import { writeClearing } from '#clearing/writer.ts'
import { listOutgoing, lockOutgoing, recordNetworkMove } from '#issuing/disputes/disputes.ts'
import { withinTenant } from '#issuing/tenants/tenants.ts'
import { findStoredTransaction } from '#issuing/transactions/transactions.ts'
import { revealNumbers } from '#issuing/vault/vault.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames } from '#kit/db/locks.ts'
import { contentDisposition } from '#kit/http/answers/disposition.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { settledOf } from '../bookings.ts'
import {
  chargebackOf,
  headerOf,
  type Members,
  nameOf,
  numberOf,
  returnOf,
  trailerOf,
} from '../rules/messages.ts'
import type { ExportQuery, NewExport } from '../schema.ts'
import {
  deleteOpenExport,
  deleteReturns,
  type ExportRow,
  findExport,
  findLastNumber,
  findOpenExport,
  findPresented,
  insertExport,
  insertMessages,
  insertName,
  listExportRows,
  listMessages,
  listReturns,
  type NewMessage,
  updateClosed,
} from './store.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Outgoing clearing files say that they are tests (PDS 0122). */
    readonly test_clearing: boolean
  }
}

/** Messages of one transaction: disputes are few, since each locks an account. */
const DISPUTES = 20
const RETURNS = 200
/** A file with so many messages gets no further portion. */
const MOST = 5_000
const LAST_NUMBER = 99_999

/**
 * Writes all that has to leave into the next file of the tenant, and closes it. Fails with
 * `nothing_to_export`.
 */
export async function exportClearing(ctx: Context, wanted: NewExport): Promise<ExportRow> {
  const inside = await withinTenant(ctx, wanted.tenant_id)
  const writing = new Writing(wanted)
  // Rounds go on until one adds none.
  for (let added = 1; added > 0 && writing.added < MOST; ) {
    const before = writing.added
    const { data } = await listOutgoing(ctx, wanted.tenant_id)
    const ids = data.map(({ id }) => id).filter((id) => !writing.left.has(id))
    for (let at = 0; at < ids.length; at += DISPUTES) {
      await transact(inside, (tx) => writing.addDisputes(tx, ids.slice(at, at + DISPUTES)))
    }
    await transact(inside, (tx) => writing.addReturns(tx))
    added = writing.added - before
  }
  const row = await transact(inside, (tx) => writing.close(tx))
  if (!row) throw new ApiError('nothing_to_export')
  return row
}

/** The messages of one export. */
class Writing {
  readonly #wanted: NewExport
  #isRecorded = false
  added = 0
  /** Disputes whose message no record can be, and those that do not leave any more. */
  readonly left = new Set<string>()

  constructor(wanted: NewExport) {
    this.#wanted = wanted
  }

  async addDisputes(tx: Tx, ids: readonly string[]): Promise<void> {
    const row = await this.#open(tx)
    const messages: NewMessage[] = []
    for (const id of ids) {
      const message = await this.#send(tx, row, id)
      if (message) messages.push(message)
      else this.left.add(id)
    }
    await this.#add(tx, row, messages)
  }

  async addReturns(tx: Tx): Promise<void> {
    const row = await this.#open(tx)
    const returned = (await listReturns(tx, RETURNS)).flatMap((record) => {
      const { file_id, number, card_id, note } = record
      const money = settledOf(record)
      const of = { ...record, note: note ?? '' }
      const content = money && returnOf({ ...of, money }, row.institution, tx.now)
      const place = { dispute_id: null, file_id, record_number: number, card_id }
      return content ? [{ record, message: { ...place, content } }] : []
    })
    await deleteReturns(
      tx,
      returned.map(({ record }) => record),
    )
    await this.#add(
      tx,
      row,
      returned.map(({ message }) => message),
    )
  }

  /** Undefined where nothing had to leave. */
  async close(tx: Tx): Promise<ExportRow | undefined> {
    await lockNames(tx, [LOCK])
    const row = await findOpenExport(tx)
    if (!row || row.messages === 0) {
      if (row) await deleteOpenExport(tx, row.id)
      return undefined
    }
    this.#record(tx, row)
    return updateClosed(tx, row.id, await takeName(tx, row))
  }

  /** The file that is open; nobody else adds to it until the transaction ends. */
  async #open(tx: Tx): Promise<ExportRow> {
    await lockNames(tx, [LOCK])
    const open = await findOpenExport(tx)
    if (open) return open
    const { institution = '0', ebcdic = false, blocked = false } = this.#wanted
    const form = { institution: institution.padStart(INSTITUTION, '0'), ebcdic, blocked }
    await insertExport(tx, newId(), form)
    const row = await findOpenExport(tx)
    if (!row) throw new Error('an open clearing file was not stored')
    return row
  }

  /** Undefined if no message of the dispute leaves. */
  async #send(tx: Tx, { institution }: ExportRow, id: string): Promise<NewMessage | undefined> {
    const dispute = await lockOutgoing(tx, id)
    if (!dispute) return undefined
    const { outgoing, transaction_id, card_id, amount, settled, currency } = dispute
    const transaction = await findStoredTransaction(tx, transaction_id)
    const presented = await findPresented(tx, transaction_id)
    const billed = presented && settledOf(presented)
    const is_whole = billed ? settled === billed.amount : amount === transaction.cleared_amount
    const money = { amount: settled, currency }
    const of = { dispute, money, is_whole, transaction, presented: presented?.content }
    const content = chargebackOf(of, institution, tx.now)
    if (!content) return undefined
    const { status } = await recordNetworkMove(tx, id, { step: 'SENT' })
    // A refund has left too little for it meanwhile.
    if (outgoing === 'CHARGEBACK' && status !== 'CHARGED_BACK') return undefined
    return { dispute_id: id, file_id: null, record_number: null, card_id, content }
  }

  async #add(tx: Tx, row: ExportRow, messages: readonly NewMessage[]): Promise<void> {
    if (messages.length > 0) this.#record(tx, row)
    await insertMessages(tx, row, messages)
    tx.afterCommit(() => {
      this.added += messages.length
    })
  }

  /** The request is in the audit log once, with the first of what it does. */
  #record(tx: Tx, { id }: ExportRow): void {
    if (this.#isRecorded) return
    recordChange(tx, [id])
    tx.afterCommit(() => {
      this.#isRecorded = true
    })
  }
}

const LOCK = 'outgoing clearing file'
const INSTITUTION = 11

/** The next id of the day (PDS 0105), which no other tenant has. */
async function takeName(tx: Tx, { id, institution }: ExportRow): Promise<string> {
  const prefix = nameOf(institution, tx.now)
  for (;;) {
    const number = (await findLastNumber(tx, prefix)) + 1
    if (number > LAST_NUMBER) throw new Error(`no number is left for files ${prefix}`)
    const file = `${prefix}${String(number).padStart(String(LAST_NUMBER).length, '0')}`
    if (await insertName(tx, file, id)) return file
  }
}

export async function listExports(ctx: Context, { tenant_id, ...query }: ExportQuery) {
  const inside = await withinTenant(ctx, tenant_id)
  return listPage('clearing_exports', query, (range) => listExportRows(inside, range))
}

/** The bytes of a file that is closed: the same each time. */
export async function downloadExport(
  ctx: Context,
  tenant_id: string,
  id: string,
): Promise<Download> {
  const inside = await withinTenant(ctx, tenant_id)
  const { file, bytes } = await transact(inside, async (tx) => {
    const row = await findExport(tx, id)
    if (!row?.file) throw new ApiError('not_found')
    // A reading of card numbers is in the audit log.
    recordChange(tx, [id])
    const parts: Buffer[] = []
    const set = row.ebcdic ? 'cp500' : 'latin1'
    const chunks = writeClearing(recordsOf(tx, row, row.file), { set, blocked: row.blocked })
    for await (const chunk of chunks) parts.push(chunk)
    return { file: row.file, bytes: Buffer.concat(parts) }
  })
  return {
    content_type: 'application/octet-stream',
    disposition: contentDisposition('attachment', `${file}.bin`),
    size: bytes.length,
    version: hash('sha256', bytes, 'hex'),
    read: ({ start, end }) => Readable.from([bytes.subarray(start, end)]),
  }
}

const PORTION = 500

async function* recordsOf(
  ctx: Context,
  { id, messages, amount }: ExportRow,
  file: string,
): AsyncGenerator<ClearingRecord> {
  const of = { file, messages, amount: BigInt(amount), is_test: ctx.profile.test_clearing }
  yield asRecord(headerOf(of))
  for (let after = 0; after < messages; after += PORTION) {
    const rows = await listMessages(ctx, id, after, PORTION)
    const cards = rows.flatMap(({ card_id }) => card_id ?? [])
    const numbers = await revealNumbers(ctx, [...new Set(cards)])
    for (const { number, card_id, content } of rows) {
      const pan = card_id === null ? undefined : numbers.get(card_id)
      const DE71 = numberOf(number)
      yield asRecord({ ...content, ...(pan && { DE2: pan.reveal() }), DE71 })
    }
  }
  yield asRecord(trailerOf(of))
}

function asRecord(members: Members): ClearingRecord {
  const read = recordOf(members)
  if (!read.ok) throw new Error(`a message is no record: ${read.reason}`)
  return read.record
}
