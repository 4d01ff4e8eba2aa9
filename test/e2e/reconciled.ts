/** Reconciliations of a shop's day, as its books are and after differences are planted in them. */

import assert from 'node:assert/strict'
import type { RawBuilder } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import {
  begin,
  type Findings,
  type ReconciliationRequest,
  reconcile,
} from '#src/audit/reconciliation/reconciliation.ts'
import type { Shop } from './shop.ts'

export type Planted = RawBuilder<unknown>

export async function found(db: Tx['db'], asked: ReconciliationRequest) {
  const progress = await begin(db, asked)
  const all: Findings = { differences: [], open: [], files: [] }
  for await (const { differences, open, files } of reconcile(db, asked, progress)) {
    all.differences.push(...differences)
    all.open.push(...open)
    all.files.push(...files)
  }
  return { ...all, progress }
}

/** The result after what is planted, which is rolled back. */
export const plantingIn =
  (shop: Shop, usual: ReconciliationRequest) =>
  async (planted: readonly Planted[], asked: Partial<ReconciliationRequest> = {}) => {
    let all: Awaited<ReturnType<typeof found>> | undefined
    const rolledBack = transact({ ...(await shop.ctx()), db: shop.db }, async (tx: Tx) => {
      for (const plant of planted) await plant.execute(tx.db)
      all = await found(tx.db, { ...usual, ...asked })
      throw new Error('roll back')
    })
    await assert.rejects(rolledBack, /roll back/)
    assert.ok(all)
    return all
  }

/** Kind, entry, order and sides of each difference. */
export const kindsBy =
  (nameOf: (order_id: string | undefined) => string | undefined) =>
  ({ differences }: Pick<Findings, 'differences'>) =>
    differences.map(({ kind, entry, order_id, sides }) => [
      kind,
      entry,
      nameOf(order_id),
      Object.keys(sides).sort().join(' '),
    ])
