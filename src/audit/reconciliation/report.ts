/** The reconciliation of a day for the operator: whole as JSON, and of any length as CSV. */

import type { Context } from '#kit/context.ts'
import type { CsvExport } from '#kit/http/answers/csv_export.ts'
import { ApiError } from '#lib/result.ts'
import { foundLines, headerLine, sumLines } from './lines.ts'
import {
  presentDifference,
  presentFileDifference,
  presentHead,
  presentOpen,
  presentSums,
} from './present.ts'
import { begin, type Findings, type ReconciliationRequest, reconcile } from './reconciliation.ts'
import { LISTED_MAX } from './schema.ts'

/** How many a process makes at one time, for all callers: each asks for portion after portion. */
const RUNNING_MAX = 2
let running = 0

/** Fails with `reconciliations_running` if as many are made as may be. */
export async function reconciliationOf(ctx: Context, asked: ReconciliationRequest) {
  const end = takeTurn()
  try {
    return await whole(ctx, asked)
  } finally {
    end()
  }
}

async function whole(ctx: Context, asked: ReconciliationRequest) {
  const progress = await begin(ctx.db, asked)
  const listed: Findings = { differences: [], open: [], files: [] }
  const counts = { differences: 0, open: 0, files: 0 }
  for await (const { differences, open, files } of reconcile(ctx.db, asked, progress)) {
    counts.differences += differences.length
    counts.open += open.length
    counts.files += files.length
    listed.files.push(...files.slice(0, LISTED_MAX - listed.files.length))
    listed.differences.push(...differences.slice(0, LISTED_MAX - listed.differences.length))
    listed.open.push(...open.slice(0, LISTED_MAX - listed.open.length))
  }
  return {
    ...presentHead(asked, ctx.now),
    status: counts.differences + counts.files === 0 ? ('AGREES' as const) : ('DIFFERS' as const),
    ...presentSums(progress),
    differences_count: counts.differences,
    differences: listed.differences.map(presentDifference),
    open_count: counts.open,
    open: listed.open.map(presentOpen),
    file_differences_count: counts.files,
    file_differences: listed.files.map(presentFileDifference),
  }
}

/** All of it, whatever its size. */
export function reconciliationCsv(ctx: Context, asked: ReconciliationRequest): CsvExport {
  return { file_name: `reconciliation-${asked.date}.csv`, text: textOf(ctx, asked) }
}

async function* textOf(ctx: Context, asked: ReconciliationRequest) {
  const end = takeTurn()
  try {
    const progress = await begin(ctx.db, asked)
    yield headerLine
    for await (const found of reconcile(ctx.db, asked, progress)) yield foundLines(found)
    yield sumLines(progress)
  } finally {
    end()
  }
}

function takeTurn(): () => void {
  if (running >= RUNNING_MAX) throw new ApiError('reconciliations_running')
  running += 1
  return () => {
    running -= 1
  }
}
