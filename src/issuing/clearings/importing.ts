/**
 * The import of a clearing file (D-1041): it is checked record by record as it comes, and what
 * posting takes of each record is stored beside. Only the row of the file, at the end, makes them
 * records that wait: a file that fails, or breaks off, has none. An import says that it is at work
 * as it goes on; one that is silent for longer never ends, and is cleared away (D-1330).
 */

import { createHash } from 'node:crypto'
import { type Reading, readClearing } from '#clearing/reader.ts'
import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { NumberOwners } from '#issuing/vault/vault.ts'
import { type Context, transact } from '#kit/context.ts'
import type { Bytes } from '#kit/files/blobs.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { deleteRecords, insertRecords, type NewRecord } from './record_store.ts'
import { type Meaning, meaningOf } from './rules/facts.ts'
import { FileCheck, type FileFacts } from './rules/file_check.ts'
import { maskedContent } from './rules/masked.ts'
import {
  deleteFile,
  type FileRow,
  findFile,
  findKnownFile,
  insertFile,
  updateChecked,
  updateFile,
  updateGivenUp,
} from './store.ts'

/** Records that are stored at once. */
const PORTION = 1_000
/** Records that may come before the first one whose number is of a tenant's BIN. */
const HOMELESS_MAX = 10_000
/** Records that are removed at once. */
const REMOVED = 20_000
/** An import whose records come slowly says so often that it is at work. */
const SIGN_MS = 20_000

const NO_TENANT_FOUND = 'no record has a card number of a BIN of this platform: name the tenant'

export type Imported = { row: FileRow; is_known: boolean }

type Staged = Omit<NewRecord, 'card_id'> & { pan: Secret | undefined }

/**
 * `tenant_id` is that of records without a card of the platform; by default the tenant of the first
 * record with one. Fails with `clearing_file_differs` for other bytes under the name of a file that
 * was accepted.
 */
export async function importClearing(
  ctx: Context,
  bytes: Bytes,
  tenant_id?: string,
): Promise<Imported> {
  const id = newId()
  await insertFile(ctx.db, id)
  const staging = new Staging(ctx, id, tenant_id)
  try {
    const hash = createHash('sha256')
    const check = new FileCheck()
    for await (const reading of readClearing(hashing(bytes, hash), {})) {
      await take(staging, check, reading)
    }
    await staging.end()
    const imported = await finish(ctx, id, staging, check.end(), hash.digest())
    if (imported.row.id !== id) await clearImport(ctx, id, staging.tenant_ids)
    return imported
  } catch (error) {
    // The sweep does it where this fails.
    await clearImport(ctx, id, staging.tenant_ids).catch(() => {})
    throw error
  }
}

/** Clears an import away that has not ended; false if it has ended, or was cleared before. */
export async function clearImport(
  ctx: Context,
  id: string,
  tenant_ids: readonly string[],
): Promise<boolean> {
  // The acceptance may be what was not answered: only a file that is given up had no effect.
  if (!(await updateGivenUp(ctx.db, id))) return false
  await removeRecords(ctx, id, tenant_ids)
  return deleteFile(ctx.db, id)
}

async function removeRecords(
  ctx: Context,
  id: string,
  tenant_ids: readonly string[],
): Promise<void> {
  for (const tenant_id of tenant_ids) {
    while ((await deleteRecords(within(ctx, tenant_id), id, REMOVED)) === REMOVED);
  }
}

async function* hashing(bytes: Bytes, hash: ReturnType<typeof createHash>) {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  }
}

async function take(staging: Staging, check: FileCheck, reading: Reading): Promise<void> {
  const { number, at } = reading
  if ('reason' in reading) return check.fault(number, at, reading.reason)
  const { record } = reading
  check.add(number, at, record)
  const read = meaningOf(record)
  if (!read.ok) return check.fault(number, at, read.reason)
  const { pan, amount, currency, ard, ...meaning } = read.meaning
  await staging.add({
    ...staged(meaning),
    number,
    place: at,
    mti: record.mti,
    content: maskedContent(record),
    pan: pan === undefined ? undefined : new Secret(pan),
    amount: amount ?? null,
    currency: currency ?? null,
    ard: ard ?? null,
  })
}

const staged = ({
  kind,
  function_code,
  credit,
  facts,
}: Pick<Meaning, 'kind' | 'function_code' | 'credit' | 'facts'>) => ({
  kind,
  function_code,
  credit,
  facts,
})

async function finish(
  ctx: Context,
  id: string,
  staging: Staging,
  facts: FileFacts,
  digest: Buffer,
): Promise<Imported> {
  const file = facts.file ?? null
  const known = await findKnownFile(ctx.db, file, digest)
  if (known) return sameAs(known, digest)
  const faults = staging.isHomeless ? [...facts.faults, NO_TENANT_FOUND] : facts.faults
  const fault_count = facts.fault_count + (staging.isHomeless ? 1 : 0)
  const { records, amount } = facts
  const state = fault_count === 0 ? 'ACCEPTED' : 'REJECTED'
  const { tenant_ids } = staging
  const checked = { file, digest, state, records, amount, fault_count, faults, tenant_ids } as const
  // One that ends between the two is cleared away by the sweep.
  if (state === 'REJECTED') await removeRecords(ctx, id, tenant_ids)
  if (!(await updateFile(ctx.db, id, checked))) {
    // Another import of it has ended meanwhile, or this one was silent for too long.
    const other = await findKnownFile(ctx.db, file, digest)
    if (!other) throw new ApiError('request_timeout')
    return sameAs(other, digest)
  }
  const row = await findFile(ctx.db, id)
  if (!row) throw new Error(`clearing file ${id} was not stored`)
  return { row, is_known: false }
}

function sameAs(row: FileRow, digest: Buffer): Imported {
  if (row.digest?.equals(digest)) return { row, is_known: true }
  throw new ApiError('clearing_file_differs', { extra: { clearing_id: row.id } })
}

/** Stores records in portions, each with the tenant of its card. */
class Staging {
  readonly #ctx: Context
  readonly #file_id: string
  readonly #tenantOf: ReturnType<typeof createTenantFinder>
  readonly #owners = new NumberOwners()
  readonly #tenant_ids: string[] = []
  #waiting: Staged[] = []
  #isHomeless = false
  #seen = performance.now()

  constructor(ctx: Context, file_id: string, tenant_id: string | undefined) {
    this.#ctx = ctx
    this.#file_id = file_id
    this.#tenantOf = createTenantFinder(ctx)
    if (tenant_id !== undefined) this.#tenant_ids.push(tenant_id)
  }

  /** The first is that of records without a card. */
  get tenant_ids(): readonly string[] {
    return this.#tenant_ids
  }

  /** It has records, and no tenant for those without a card. */
  get isHomeless(): boolean {
    return this.#isHomeless
  }

  async add(record: Staged): Promise<void> {
    this.#waiting.push(record)
    if (this.#waiting.length >= PORTION) await this.#store()
    if (performance.now() - this.#seen >= SIGN_MS) await this.#sign(this.#ctx)
  }

  async end(): Promise<void> {
    await this.#store()
    this.#isHomeless ||= this.#waiting.length > 0
  }

  /** The import is at work; throws where it was given up. */
  async #sign({ db }: Context): Promise<void> {
    this.#seen = performance.now()
    const isAtWork = await updateChecked(db, this.#file_id, this.#tenant_ids)
    if (!isAtWork) throw new ApiError('request_timeout')
  }

  async #store(): Promise<void> {
    if (this.#isHomeless) {
      this.#waiting = []
      return
    }
    const placed: [record: Staged, tenant_id: string | undefined][] = []
    for (const record of this.#waiting) {
      placed.push([record, record.pan && (await this.#tenantOf(record.pan))])
    }
    const home = this.#tenant_ids[0] ?? placed.find(([, tenant_id]) => tenant_id)?.[1]
    if (home === undefined) {
      this.#isHomeless = this.#waiting.length >= HOMELESS_MAX
      return
    }
    this.#waiting = []
    const byTenant = Map.groupBy(placed, ([, tenant_id]) => tenant_id ?? home)
    for (const [tenant_id, records] of byTenant) {
      if (!this.#tenant_ids.includes(tenant_id)) {
        if (tenant_id === home) this.#tenant_ids.unshift(tenant_id)
        else this.#tenant_ids.push(tenant_id)
      }
      await this.#storeWithin(
        tenant_id,
        records.map(([record]) => record),
      )
    }
  }

  async #storeWithin(tenant_id: string, records: readonly Staged[]): Promise<void> {
    const ctx = within(this.#ctx, tenant_id)
    const pans = records.flatMap(({ pan }) => pan ?? [])
    const owners = pans.length === 0 ? [] : await this.#owners.find(ctx, pans)
    let at = 0
    const rows = records.map(({ pan, ...record }) => {
      const owner = pan && owners[at++]
      return { ...record, card_id: owner?.card_id ?? null }
    })
    // The row of the file names the tenant with the first of its records, for who clears them away.
    await transact(ctx, async (tx) => {
      await this.#sign(tx)
      await insertRecords(tx, this.#file_id, rows)
    })
  }
}

/** The same within one tenant. */
export const within = (ctx: Context, tenant_id: string): Context => ({
  ...ctx,
  tenant_id,
  db: ctx.db.forTenant(tenant_id),
})
