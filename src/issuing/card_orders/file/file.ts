/** The file of a batch in clear, a portion of its records at a time. It is never kept. */

import { createHash } from 'node:crypto'
import { findMailedPins, findPins, keySets, revealNumbers } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { mapInTurns } from '#lib/promises.ts'
import { CARDS_AT_ONCE } from '../card_values.ts'
import { listRecordRows, type OrderRow } from '../store.ts'
import { CSV, lineOf } from './layout.ts'
import { type Frozen, valuesOf } from './records.ts'

const FORMAT = '1'
const RECORDS_A_PORTION = 500

/** The same bytes each time, from what the batch froze. */
export async function* fileOf(ctx: Context, order: OrderRow): AsyncGenerator<Buffer> {
  const layout = order.layout ?? CSV
  const { header = [], trailer = [] } = layout
  const made_at = order.created.toISOString()
  const count = String(order.count)
  if (header.length > 0) {
    yield lineOf(layout, header, {
      format: FORMAT,
      batch: order.id,
      product: order.card_product_id,
      bureau: order.bureau,
      made_at,
      made_on: made_at.slice(0, 10),
      count,
    })
  }
  const hash = createHash('sha256')
  for await (const portion of portionsOf(ctx, order)) {
    hash.update(portion)
    yield portion
  }
  if (trailer.length > 0) yield lineOf(layout, trailer, { count, sha256: hash.digest('hex') })
}

async function* portionsOf(ctx: Context, order: OrderRow): AsyncGenerator<Buffer> {
  const layout = order.layout ?? CSV
  const keys = (await keySets(ctx, [order.card_product_id])).get(order.card_product_id)
  if (!keys) throw new Error(`card product ${order.card_product_id} has no keys`)
  for (let from = 0; from < order.count; from += RECORDS_A_PORTION) {
    const rows = await listRecordRows(ctx, order.id, from, from + RECORDS_A_PORTION)
    const ids = rows.map(({ card_id }) => card_id)
    const [pans, pins, blocks] = await Promise.all([
      revealNumbers(ctx, ids),
      findPins(ctx, ids),
      findMailedPins(ctx, ids),
    ])
    const lines = await mapInTurns(rows, CARDS_AT_ONCE, async ({ id, card_id, frozen }) => {
      const pan = pans.get(card_id)
      if (!pan) throw new Error(`card ${card_id} has no number`)
      const kept_pin = pins.get(card_id)?.value ?? null
      const pin_block = blocks.get(card_id) ?? null
      // The column has what `frozenOf` made.
      const values = await valuesOf(ctx, id, frozen as Frozen, { pan, kept_pin, pin_block }, keys)
      return lineOf(layout, layout.record, values)
    })
    yield Buffer.concat(lines)
  }
}

/** Counts bytes that pass, and makes their digest. */
export class Passed {
  readonly #hash = createHash('sha256')
  bytes = 0

  async *of(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of file) {
      this.#hash.update(bytes)
      this.bytes += bytes.length
      yield bytes
    }
  }

  /** SHA-256, in hex. */
  digest(): string {
    return this.#hash.digest('hex')
  }
}
