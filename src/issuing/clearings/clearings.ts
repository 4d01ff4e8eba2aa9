/** Public functions of the clearings slice: files of card networks, and suspense (D-1041). */

import { withinTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import type { Parts, Received } from '#kit/http/bodies/uploads.ts'
import { listPage } from '#kit/http/lists.ts'
import { isId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type Imported, importClearing, within } from './importing.ts'
import { presentFile, presentRecord } from './present.ts'
import { findRecord, listRecordRows, listSums, lockRecord, type RecordSum } from './record_store.ts'
import { resolveRecord } from './resolving.ts'
import type {
  Clearing,
  ClearingRecordAnswer,
  NewClearing,
  RecordsQuery,
  Resolution,
} from './schema.ts'
import { type FileRow, findFile, findKnownFile, hasTenant, listFileRows } from './store.ts'

export { auditClearings } from './audit.ts'
export { NOTES } from './bookings.ts'
export { importClearing } from './importing.ts'
export { presentFile } from './present.ts'

/** The channel that wakes the sweep. */
export const CLEARING = 'clearing'

/** A million records have some 400 MB. */
export const FILE_BYTES = 2 * 1024 ** 3
const RECORDS = 50

/** Takes the file of an upload in; nothing of it is kept in memory or on a disk here. */
export async function receiveClearing(ctx: Context, parts: Parts): Promise<Received<NewClearing>> {
  let tenant_id: string | undefined
  let imported: Imported | undefined
  for await (const part of parts({ files: 1, file_bytes: FILE_BYTES })) {
    if (part.kind === 'file') {
      if (part.name !== 'file') throw invalid(part.name, 'is not a part')
      imported = await importClearing(ctx, part.bytes, tenant_id)
    } else if (part.name === 'tenant_id' && isId(part.text) && (await hasTenant(ctx, part.text))) {
      tenant_id = part.text
    } else throw invalid(part.name, 'is no tenant before the file')
  }
  if (!imported) throw invalid('file', 'is missing')
  const { row, is_known } = imported
  for (const id of row.state === 'ACCEPTED' ? row.tenant_ids : []) ctx.notify(CLEARING, id)
  return {
    body: { id: row.id, known: is_known },
    fingerprint: row.digest?.toString('hex') ?? '',
    settle: async () => {},
  }
}

/**
 * Takes a file of the own acquirer in, whose bytes are not read where it has come before: true once
 * all of it is posted.
 */
export async function takeFileIn(
  ctx: Context,
  { file, digest }: { file: string; digest: Buffer },
  bytes: AsyncIterable<Buffer>,
): Promise<boolean> {
  const known = await findKnownFile(ctx.db, file, digest)
  const isSame = known?.state === 'ACCEPTED' && known.digest?.equals(digest) === true
  const row = isSame ? known : (await importClearing(ctx, bytes, ctx.tenant_id)).row
  if (row.state !== 'ACCEPTED') {
    throw new Error(`clearing file ${row.file} of the own acquirer has faults: ${row.faults[0]}`)
  }
  for (const id of row.tenant_ids) ctx.notify(CLEARING, id)
  return (await getClearing(ctx, row.id)).state === 'POSTED'
}

export async function getClearing(ctx: Context, id: string): Promise<Clearing> {
  const row = await fileOf(ctx, id)
  return presentFile(row, (await sumsOf(ctx, [row])).get(id) ?? [])
}

export async function listClearings(
  ctx: Context,
  query: { limit?: number; after?: string },
): Promise<Page<Clearing>> {
  const page = await listPage('clearings', query, (range) => listFileRows(ctx.db, range))
  const sums = await sumsOf(ctx, page.data)
  return { ...page, data: page.data.map((row) => presentFile(row, sums.get(row.id) ?? [])) }
}

async function fileOf(ctx: Context, id: string): Promise<FileRow> {
  const row = await findFile(ctx.db, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** The sums of each file, by one statement for each tenant. */
async function sumsOf(ctx: Context, files: readonly FileRow[]): Promise<Map<string, RecordSum[]>> {
  const sums: Awaited<ReturnType<typeof listSums>> = []
  for (const tenant_id of new Set(files.flatMap(({ tenant_ids }) => tenant_ids))) {
    const own = files.filter(({ tenant_ids }) => tenant_ids.includes(tenant_id))
    const ids = own.map(({ id }) => id)
    sums.push(...(await listSums(within(ctx, tenant_id), ids)))
  }
  return Map.groupBy(sums, ({ file_id }) => file_id)
}

/** The records of all tenants, in the order of the file. */
export async function listRecords(
  ctx: Context,
  id: string,
  { state, after = 0, limit = RECORDS }: RecordsQuery,
): Promise<{ data: ClearingRecordAnswer[]; has_more: boolean }> {
  const { tenant_ids } = await fileOf(ctx, id)
  const filter = { ...(state && { state }), after, limit: limit + 1 }
  const found: ClearingRecordAnswer[] = []
  for (const tenant_id of tenant_ids) {
    const rows = await listRecordRows(within(ctx, tenant_id), id, filter)
    found.push(...rows.map((row) => presentRecord(tenant_id, row)))
  }
  const data = found.toSorted((one, other) => one.number - other.number)
  return { data: data.slice(0, limit), has_more: data.length > limit }
}

type Path = { id: string; number: string }

export async function getRecord(ctx: Context, path: Path): Promise<ClearingRecordAnswer> {
  const { tenant_id, row } = await locate(ctx, path)
  return presentRecord(tenant_id, row)
}

/** A text that is no number has no record. */
const NUMBER = /^[1-9]\d{0,8}$/

async function locate(ctx: Context, { id, number: text }: Path) {
  const { tenant_ids } = await fileOf(ctx, id)
  if (!NUMBER.test(text)) throw new ApiError('not_found')
  const number = Number(text)
  for (const tenant_id of tenant_ids) {
    const row = await findRecord(within(ctx, tenant_id), id, number)
    if (row) return { tenant_id, row }
  }
  throw new ApiError('not_found')
}

/** As resolveRecord, within the tenant of the record. */
export function resolve(
  ctx: Context | Tx,
  path: Path,
  resolution: Resolution,
): Promise<ClearingRecordAnswer> {
  return transact(ctx, async (tx) => {
    const { tenant_id, row } = await locate(tx, path)
    const inside = await withinTenant(tx, tenant_id)
    const record = { id: path.id, number: row.number }
    return presentRecord(tenant_id, await resolveRecord(inside, record, resolution))
  })
}

/** For `If-Match`: the record, which nobody else changes until the transaction ends. */
export async function lockOne(tx: Tx, path: Path): Promise<void> {
  const { tenant_id, row } = await locate(tx, path)
  await lockRecord(await withinTenant(tx, tenant_id), path.id, row.number)
}
