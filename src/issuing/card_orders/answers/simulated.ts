/** The answers of the simulated bureau, which come in the transaction of their cause (D-1025). */

import { createHash } from 'node:crypto'
import type { Context, Tx } from '#kit/context.ts'
import type { Bureau } from '../provider.ts'
import type { OrderRow } from '../store.ts'
import { applyLine, completeOrder } from './apply.ts'
import { linesOf } from './lines.ts'

const BYTES_MAX = 16 * 1024 * 1024

/** The answers to a batch that it has just taken. */
export async function applySimulated(
  ctx: Context,
  bureau: Bureau,
  { file_name }: Pick<OrderRow, 'file_name'>,
): Promise<void> {
  await using transport = await bureau.open()
  const name = `${file_name}.rsp`
  if (!(await transport.answers()).includes(name)) return
  const bytes = await transport.read(name, BYTES_MAX)
  await transport.putAway(name, `${name}.done`)
  await applyBytes(ctx, bytes)
}

/** Applies lines of orders of one tenant, whose faults are faults of the program. */
export async function applyBytes(ctx: Context | Tx, bytes: Buffer): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const batches = new Set<string>()
  for (const line of linesOf(bytes)) {
    if ('message' in line) throw new Error(`line ${line.line}: ${line.message}`)
    const { card_order_id, ...applied } = await applyLine(ctx, line, digest)
    if (applied.is !== 'DONE') throw new Error(`line ${line.line} is not applied`)
    if (card_order_id !== undefined) batches.add(card_order_id)
  }
  for (const id of batches) await completeOrder(ctx, id)
}
