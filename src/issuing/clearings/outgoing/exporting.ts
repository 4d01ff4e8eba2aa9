/**
 * The outgoing clearing file (D-1063, D-1131): one transaction has the file, its messages, the step
 * SENT of each dispute, and the answer. So each message leaves once, whatever ends when, and a file
 * never changes.
 */

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { asRecord, headerOf, INSTITUTION_DIGITS, numberOf, trailerOf } from '#clearing/envelope.ts'
import { takeName } from '#clearing/naming.ts'
import type { ClearingRecord } from '#clearing/record.ts'
import { writeClearing } from '#clearing/writer.ts'
import { listLeaving, lockOutgoing, recordNetworkMove } from '#issuing/disputes/disputes.ts'
import { withinTenant } from '#issuing/tenants/tenants.ts'
import { findStoredTransaction } from '#issuing/transactions/transactions.ts'
import { revealNumbers } from '#issuing/vault/vault.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames } from '#kit/db/locks.ts'
import { contentDisposition } from '#kit/http/answers/disposition.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import { asInvalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import { ApiError, CommittedError } from '#lib/result.ts'
import { settledOf } from '../bookings.ts'
import { chargebackOf, returnOf } from '../rules/messages.ts'
import type { ExportQuery, NewExport } from '../schema.ts'
import {
  deleteReturns,
  type ExportRow,
  findExport,
  findLastNumber,
  findPresented,
  insertExport,
  insertName,
  listExportRows,
  listMessages,
  listReturns,
  type NewMessage,
} from './store.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Outgoing clearing files say that they are tests (PDS 0122). */
    readonly test_clearing: boolean
  }
}

/** The most of one file: each dispute locks an account until the file is made. */
const DISPUTES = 50
const RETURNS = 1_000

/**
 * Writes what has to leave into the next file of the tenant. Fails with `nothing_to_export`, which
 * keeps that a dispute has returned to DRAFT.
 */
export function exportClearing(ctx: Context | Tx, wanted: NewExport): Promise<ExportRow> {
  return transact(ctx, async (operator) => {
    const isNone = asInvalid('tenant_id', 'names no tenant')
    const tx = await withinTenant(operator, wanted.tenant_id).catch(isNone)
    // One export of a tenant at a time.
    await lockNames(tx, [LOCK])
    const { institution = '0', ebcdic = false, blocked = false } = wanted
    const form = { institution: institution.padStart(INSTITUTION_DIGITS, '0'), ebcdic, blocked }
    const messages: NewMessage[] = []
    for (const id of await listLeaving(tx, DISPUTES)) {
      const message = await send(tx, form.institution, id)
      if (message) messages.push(message)
    }
    messages.push(...(await takeReturns(tx, form.institution)))
    if (messages.length === 0) throw new CommittedError('nothing_to_export')
    const id = newId()
    const file = await takeName(
      {
        findLast: (prefix) => findLastNumber(tx, prefix),
        insert: (name) => insertName(tx, name, id),
      },
      form.institution,
      tx.now,
    )
    await insertExport(tx, { id, file, ...form }, messages).start()
    const row = await findExport(tx, id)
    if (!row) throw new Error('an outgoing clearing file was not stored')
    return row
  })
}

/** Undefined if no message of the dispute leaves. */
async function send(tx: Tx, institution: string, id: string): Promise<NewMessage | undefined> {
  const dispute = await lockOutgoing(tx, id)
  if (!dispute) return undefined
  const { outgoing, transaction_id, card_id, amount, settled, currency } = dispute
  const transaction = await findStoredTransaction(tx, transaction_id)
  const presented = await findPresented(tx, transaction_id)
  const billed = presented && settledOf(presented)
  // A payment that the network bills in its own currency is settled at our rate (D-1045).
  const is_whole =
    billed?.currency === currency
      ? settled === billed.amount
      : amount === transaction.cleared_amount
  const money = { amount: settled, currency }
  const of = { dispute, money, is_whole, transaction, presented: presented?.content }
  const content = chargebackOf(of, institution, tx.now)
  if (!content) return undefined
  // Each dispute has an audit record of its own: the request names few.
  const { audited: _, ...leaving } = tx
  const { status } = await recordNetworkMove(leaving, id, { step: 'SENT' })
  // A refund has left too little for it meanwhile.
  if (outgoing === 'CHARGEBACK' && status !== 'CHARGED_BACK') return undefined
  return { dispute_id: id, file_id: null, record_number: null, card_id, content }
}

/** The messages of records that were returned, which wait no more. */
async function takeReturns(tx: Tx, institution: string): Promise<NewMessage[]> {
  const returned = (await listReturns(tx, RETURNS)).flatMap((record) => {
    const { file_id, number, card_id, note } = record
    const money = settledOf(record)
    const of = { ...record, note: note ?? '' }
    const content = money && returnOf({ ...of, money }, institution, tx.now)
    const place = { dispute_id: null, file_id, record_number: number, card_id }
    return content ? [{ record, message: { ...place, content } }] : []
  })
  await deleteReturns(
    tx,
    returned.map(({ record }) => record),
  )
  return returned.map(({ message }) => message)
}

const LOCK = 'outgoing clearing file'

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
    if (!row) throw new ApiError('not_found')
    // A reading of card numbers is in the audit log.
    recordChange(tx, [id])
    const parts: Buffer[] = []
    const set = row.ebcdic ? 'cp500' : 'latin1'
    const chunks = writeClearing(recordsOf(tx, row), { set, blocked: row.blocked })
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
  { id, file, messages, amount }: ExportRow,
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
