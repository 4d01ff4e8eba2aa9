/**
 * Fetches the bureau's files of answers each minute and applies them, each once by its digest. A
 * file is about cards of all tenants, so the sweep has one turn, that of the first id.
 */

import { createHash } from 'node:crypto'
import { type Context, transact } from '#kit/context.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Log } from '#kit/log.ts'
import { newId } from '#lib/id.ts'
import { type Bureau, BureauFault, type Transport } from '../provider.ts'
import { applyLine, completeOrder } from './apply.ts'
import { type BureauLine, type LineFault, linesOf } from './lines.ts'
import { hasAnswer, insertAnswer, listTenantsOfRecords } from './store.ts'

const LOOK_MS = 60_000
const BYTES_MAX = 16 * 1024 * 1024
const FAULTS_KEPT = 1_000
const LINES_A_LOOK = 1_000

export type Fetching = { bureau: Bureau; log: Log }

export const fetchingAnswers = (fetching: Fetching): Sweep => ({
  name: 'card order answers',
  realTime: true,
  outside: true,
  every_ms: LOOK_MS,
  dueTenants: async (_db, from) => (from === FIRST_ID ? [FIRST_ID] : []),
  run: async (ctx) => {
    await fetchAnswers(ctx, fetching)
    return { more: false }
  },
})

/** All files that wait. One that cannot be read, or applied yet, keeps no other from it. */
export async function fetchAnswers(sweep: Context, { bureau, log }: Fetching): Promise<void> {
  // The turn is of no tenant, and the lines are of any: each is applied as work of its own.
  const ctx = { ...sweep, db: sweep.db.atEntry() }
  await using transport = await bureau.open()
  const names = (await transport.answers()).filter((name) => name.endsWith('.rsp')).sort()
  for (const name of names) {
    try {
      await applyFile(ctx, { bureau, log }, transport, name)
    } catch (error) {
      if (!(error instanceof BureauFault)) throw error
      log.warn({ err: error, file_name: name }, 'a file of answers is not read')
    }
  }
}

async function applyFile(
  ctx: Context,
  { bureau, log }: Fetching,
  transport: Transport,
  name: string,
): Promise<void> {
  const bytes = await transport.read(name, BYTES_MAX)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (!(await hasAnswer(ctx, digest))) {
    const lines = [...linesOf(bytes, bureau.layout?.answers)]
    const { faults, isEarly } = await applyLines(ctx, lines, digest)
    // The batch of a line is not SENT yet: the lines that were applied have no second effect.
    if (isEarly) return
    if (faults.length > 0) {
      const first = faults.slice(0, 10)
      log.warn({ file_name: name, faults: faults.length, first }, 'answers of the bureau are wrong')
    }
    await insertAnswer(ctx, {
      id: newId(),
      bureau: bureau.name,
      file_name: name,
      digest,
      lines: lines.length,
      applied: lines.length - faults.length,
      faults: faults.slice(0, FAULTS_KEPT),
    })
  }
  await transport.putAway(name, `${name}.done`)
}

async function applyLines(
  ctx: Context,
  lines: readonly (BureauLine | LineFault)[],
  digest: string,
): Promise<{ faults: LineFault[]; isEarly: boolean }> {
  const faults: LineFault[] = []
  let isEarly = false
  const batches = new Map<string, string>()
  for (let from = 0; from < lines.length; from += LINES_A_LOOK) {
    const portion = lines.slice(from, from + LINES_A_LOOK)
    const ids = portion.flatMap((line) => ('order_id' in line ? [line.order_id] : []))
    const tenants = await listTenantsOfRecords(ctx, ids)
    for (const line of portion) {
      const found = 'message' in line ? line : await applyOne(ctx, tenants, line, digest, batches)
      if (found === 'EARLY') isEarly = true
      else if (found !== 'DONE') faults.push(found)
    }
  }
  for (const [id, tenant_id] of batches) await completeOrder(await within(ctx, tenant_id), id)
  return { faults, isEarly }
}

async function applyOne(
  ctx: Context,
  tenants: ReadonlyMap<string, string>,
  line: BureauLine,
  digest: string,
  batches: Map<string, string>,
): Promise<'DONE' | 'EARLY' | LineFault> {
  const tenant_id = tenants.get(line.order_id)
  if (tenant_id === undefined) return { line: line.line, message: 'there is no such order' }
  const of = await within(ctx, tenant_id)
  const applied = await transact(of, (tx) => applyLine(tx, line, digest))
  if (applied.card_order_id !== undefined) batches.set(applied.card_order_id, tenant_id)
  return applied.is === 'FAULT' ? { line: line.line, message: applied.message } : applied.is
}

const within = (ctx: Context, tenant_id: string) =>
  tenantContext(ctx, tenant_id, { kind: 'system', id: 'bureau' })
