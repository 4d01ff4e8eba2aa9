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

/**
 * All files that wait. One that cannot be read, or applied yet, keeps no other from it; an error
 * that nobody expected is thrown once all others are applied.
 */
export async function fetchAnswers(sweep: Context, { bureau, log }: Fetching): Promise<void> {
  // The turn is of no tenant, and the lines are of any: each is applied as work of its own.
  const ctx = { ...sweep, db: sweep.db.atEntry() }
  await using transport = await bureau.open()
  const names = (await transport.answers()).filter((name) => name.endsWith('.rsp')).sort()
  const unexpected: unknown[] = []
  for (const name of names) {
    try {
      await applyFile(ctx, { bureau, log }, transport, name)
    } catch (error) {
      if (!(error instanceof BureauFault)) unexpected.push(error)
      log.warn({ err: error, file_name: name }, 'a file of answers is not read')
    }
  }
  if (unexpected.length > 0) throw unexpected[0]
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
    const applied = await applyLines(ctx, linesOf(bytes, bureau.layout?.answers), digest)
    // The batch of a line is not SENT yet: the lines that were applied have no second effect.
    if (applied.isEarly) return
    const { lines, wrong, faults } = applied
    if (wrong > 0) {
      const first = faults.slice(0, 10)
      log.warn({ file_name: name, faults: wrong, first }, 'answers of the bureau are wrong')
    }
    await insertAnswer(ctx, {
      id: newId(),
      bureau: bureau.name,
      file_name: name,
      digest,
      lines,
      applied: lines - wrong,
      faults,
    })
  }
  await transport.putAway(name, `${name}.done`)
}

type AppliedLines = {
  lines: number
  wrong: number
  /** The first of them. */
  faults: LineFault[]
  isEarly: boolean
}

async function applyLines(
  ctx: Context,
  all: Iterable<BureauLine | LineFault>,
  digest: string,
): Promise<AppliedLines> {
  const found: AppliedLines = { lines: 0, wrong: 0, faults: [], isEarly: false }
  const batches = new Map<string, string>()
  for (const portion of inPortions(all, LINES_A_LOOK)) {
    const ids = portion.flatMap((line) => ('order_id' in line ? [line.order_id] : []))
    const tenants = await listTenantsOfRecords(ctx, ids)
    for (const line of portion) {
      const one = 'message' in line ? line : await applyOne(ctx, tenants, line, digest, batches)
      found.lines += 1
      if (one === 'EARLY') found.isEarly = true
      else if (one !== 'DONE') {
        found.wrong += 1
        if (found.faults.length < FAULTS_KEPT) found.faults.push(one)
      }
    }
  }
  for (const [id, tenant_id] of batches) await completeOrder(await within(ctx, tenant_id), id)
  return found
}

function* inPortions<Item>(items: Iterable<Item>, most: number): Generator<Item[]> {
  let portion: Item[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < most) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
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
