/**
 * The clearing files of the own acquirer (D-1047). The place of each capture and refund in a file,
 * and the name and digest of the file, are stored by one transaction: each is in one file, whatever
 * ends when. The bytes are made of the stored messages, the same each time.
 */

import { createHash } from 'node:crypto'
import { asRecord, headerOf, type Outgoing, trailerOf } from '#clearing/envelope.ts'
import { takeName } from '#clearing/naming.ts'
import type { ClearingRecord } from '#clearing/record.ts'
import { writeClearing } from '#clearing/writer.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import { newId } from '#lib/id.ts'
import type { IssuerLink, IssuerName } from '../link.ts'
import { findCards } from '../store.ts'
import { ACQUIRER_ID } from '../wire.ts'
import { recordOf } from './records.ts'
import {
  type FileRow,
  findDueIssuer,
  findLastNumber,
  insertFile,
  insertName,
  listCollected,
  listOfFile,
  type PresentedRow,
} from './store.ts'

/** Captures and refunds of one file; those that are left are in the next one. */
const FILE_MESSAGES = 10_000
/** Messages that are read at once while the bytes are made again. */
const PORTION = 500
/** A plain file in ASCII, which every reader of the form takes. */
const FORM = { set: 'latin1', blocked: false } as const

export type Collecting = {
  issuer: IssuerName
  /** Only what is due by this time; null for all that was collected. */
  due_by: Date | null
  /** Whether this program is the issuer, and imports the file by itself. */
  is_own: boolean
}

/** The file of a day that is over, for one issuer; false if nothing is due. */
export async function writeDueFile(ctx: Context, link: IssuerLink): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const issuer = await findDueIssuer(tx)
    if (issuer === undefined) return false
    await writeFile(tx, { issuer, due_by: tx.now, is_own: link.isOwn(issuer) })
    return true
  })
}

/** Writes what was collected for an issuer into its next file; undefined if there is nothing. */
export async function writeFile(
  tx: Tx,
  { issuer, due_by, is_own }: Collecting,
): Promise<FileRow | undefined> {
  // One file of an issuer at a time.
  await lockNames(tx, [sharedName('acquirer files', issuer ?? '')])
  const rows = await listCollected(tx, { issuer, due_by }, FILE_MESSAGES)
  if (rows.length === 0) return undefined
  const id = newId()
  const amount = rows.reduce((all, { fields }) => all + BigInt(fields[4] ?? 0), 0n)
  const file = await takeName(
    {
      findLast: (prefix) => findLastNumber(tx, prefix),
      insert: (name) => insertName(tx, name, id),
    },
    ACQUIRER_ID,
    tx.now,
  )
  const is_test = tx.profile.test_clearing
  const messages = rows.length
  const digest = createHash('sha256')
  const chunks = writeClearing(recordsOf(tx, { file, messages, amount, is_test }, [rows]), FORM)
  for await (const chunk of chunks) digest.update(chunk)
  const head = { id, issuer, file, is_test, messages, amount: String(amount), created: tx.now }
  const row = { ...head, digest: digest.digest(), due: is_own ? tx.now : null }
  await insertFile(
    tx,
    row,
    rows.map(({ message_id }) => message_id),
  ).start()
  return row
}

/** The bytes of a file. Throws at their end if they are others than it had when it was written. */
export async function* bytesOf(ctx: Context, row: FileRow): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  const of = { ...row, amount: BigInt(row.amount) }
  for await (const chunk of writeClearing(recordsOf(ctx, of, storedOf(ctx, row)), FORM)) {
    digest.update(chunk)
    yield chunk
  }
  if (!digest.digest().equals(row.digest)) {
    throw new Error(`clearing file ${row.file} has become another one than was written`)
  }
}

async function* storedOf(ctx: Context, { id, messages }: FileRow): AsyncGenerator<PresentedRow[]> {
  for (let after = 0; after < messages; after += PORTION) {
    yield await listOfFile(ctx, id, after, PORTION)
  }
}

type Portions = AsyncIterable<PresentedRow[]> | Iterable<PresentedRow[]>

async function* recordsOf(
  ctx: Context,
  of: Outgoing,
  portions: Portions,
): AsyncGenerator<ClearingRecord> {
  yield asRecord(headerOf(of))
  let number = 0
  for await (const rows of portions) {
    const owners = rows.map(({ authorization_id }) => authorization_id)
    const cards = await findCards(ctx, owners)
    for (const row of rows) {
      number += 1
      const card = cards.get(row.authorization_id)
      if (!card) throw new Error(`the card of payment ${row.authorization_id} is not stored`)
      const { file } = of
      yield asRecord(recordOf({ ...row, pan: card.pan.reveal() }, { file, number }))
    }
  }
  yield asRecord(trailerOf(of))
}
