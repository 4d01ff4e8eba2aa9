/**
 * The import of a settlement file at the issuer (D-765, D-766): the file is validated whole, then
 * compared with the issuer's book, and recorded with the findings. It moves no money.
 */

import { createHash, type Hash } from 'node:crypto'
import { readClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { ACQUIRER_ID } from '#merchant/acquirer/acquirer.ts'
import { listIssuersOf, listTransactions } from '../reconciliation/books/issuer.ts'
import { PORTION } from '../reconciliation/books/own.ts'
import { issuerPortions } from '../reconciliation/books/walks.ts'
import { readTenants } from '../reconciliation/books/whose.ts'
import { type Day, dayOf } from '../reconciliation/rules/day.ts'
import { Comparison, type Finding, type FindingKind } from './compare.ts'
import { FileRefused } from './lines.ts'
import { type Claim, type Facts, readSettlement } from './read.ts'
import { type FileRow, findFileByName, insertFile, type KeptFinding } from './store.ts'

/** More findings are printed by the command alone. */
const FINDINGS_KEPT = 500

/** Reads the file from its beginning; called twice. */
type Source = () => AsyncIterable<Buffer>
type Imported = { row: FileRow; isKnown: boolean }

/**
 * `onFound` gets the findings portion by portion. A file that was imported before is answered as it
 * was recorded. Throws FileRefused, and then nothing was recorded.
 */
export async function importSettlement(
  db: Db,
  source: Source,
  onFound: (found: readonly Finding[]) => void,
): Promise<Imported> {
  const { facts, digest } = await validate(source)
  const known = await findFileByName(db, facts.file)
  if (known) return sameAs(known, digest)
  const comparison = new Comparison(dayOf(facts.date))
  const kept = new Kept(onFound)
  const hash = createHash('sha256')
  for await (const claims of readSettlement(hashing(source(), hash), ACQUIRER_ID, PORTION)) {
    kept.add(comparison.records(claims, await transactionsOf(db, claims)))
  }
  if (!hash.digest().equals(digest)) {
    throw new FileRefused('the file was changed while it was read')
  }
  await findLeft(db, dayOf(facts.date), comparison, kept)
  const { over_midnight } = comparison
  const row = await rowOf(db, { facts, digest, kept, over_midnight })
  if (await insertFile(db, row)) return { row, isKnown: false }
  // Another import of it has ended meanwhile.
  const other = await findFileByName(db, facts.file)
  return other ? sameAs(other, digest) : { row, isKnown: false }
}

function sameAs(row: FileRow, digest: Buffer): Imported {
  if (row.digest.equals(digest)) return { row, isKnown: true }
  const when = row.created.toISOString()
  throw new FileRefused(
    `a file ${row.file} with other bytes (SHA-256 ${row.digest.toString('hex')}) was imported ` +
      `at ${when}: ask the acquirer which one counts`,
  )
}

async function validate(source: Source): Promise<{ facts: Facts; digest: Buffer }> {
  const hash = createHash('sha256')
  const reading = readSettlement(hashing(source(), hash), ACQUIRER_ID, PORTION)
  for (;;) {
    const { done, value } = await reading.next()
    if (done) return { facts: value, digest: hash.digest() }
  }
}

async function* hashing(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

/** The transactions of all tenants, because a record may be of a card of any of them. */
async function transactionsOf(db: Db, claims: readonly Claim[]) {
  const rrns = [...new Set(claims.map(({ rrn }) => rrn))]
  const found = []
  for (const tenant_id of await listIssuersOf(db, rrns)) {
    found.push(...(await listTransactions({ db: db.forTenant(tenant_id), tenant_id }, rrns)))
  }
  return Map.groupBy(found, ({ rrn }) => rrn)
}

async function findLeft(db: Db, day: Day, comparison: Comparison, kept: Kept): Promise<void> {
  const everyone = { tenant_id: undefined, merchant_id: undefined }
  for (const { id: tenant_id, ahead_ms } of await readTenants(db, everyone)) {
    const books = { db: db.forTenant(tenant_id), tenant_id, day }
    for await (const triggers of issuerPortions(books, ahead_ms)) {
      const rrns = [...new Set(triggers.map(({ rrn }) => rrn))]
      kept.add(comparison.left(await listTransactions(books, rrns)))
    }
  }
}

class Kept {
  readonly counts: Partial<Record<FindingKind, number>> = {}
  readonly findings: Finding[] = []
  readonly #onFound: (found: readonly Finding[]) => void

  constructor(onFound: (found: readonly Finding[]) => void) {
    this.#onFound = onFound
  }

  add(found: readonly Finding[]): void {
    for (const { kind } of found) this.counts[kind] = (this.counts[kind] ?? 0) + 1
    this.findings.push(...found.slice(0, FINDINGS_KEPT - this.findings.length))
    this.#onFound(found)
  }
}

type Result = { facts: Facts; digest: Buffer; kept: Kept; over_midnight: number }

async function rowOf(db: Db, { facts, digest, kept, over_midnight }: Result): Promise<FileRow> {
  const { sums, ...head } = facts
  // JSON writes dates as they are kept; amounts become text.
  const findings = JSON.parse(asText(kept.findings)) as KeptFinding[]
  return {
    id: newId(),
    acquirer_id: ACQUIRER_ID,
    ...head,
    digest,
    over_midnight,
    findings,
    counts: kept.counts,
    sums: sums.map(({ amount, ...sum }) => ({ ...sum, amount: String(amount) })),
    created: await readClock(db),
  }
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))
