/** Faults that a test plants in a database for the checks of doctor, and takes out again. */

import assert from 'node:assert/strict'
import type { RawBuilder } from 'kysely'
import type { Finding } from '#kit/audit.ts'
import { type Tx, transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { auditAll } from '#src/audit/audits.ts'
import type { World } from '../world.ts'

export type Statement = (tx: Tx) => RawBuilder<unknown>

/** The findings of the audit after these statements, which are rolled back. */
export async function foundBy(
  world: Pick<World, 'ctx' | 'db'>,
  audit: (db: Db) => Promise<Finding[]>,
  ...planted: Statement[]
): Promise<Finding[]> {
  let findings: Finding[] = []
  // The role is the owner, who may drop the constraint that stands in the way.
  const rolledBack = transact({ ...(await world.ctx()), db: world.db }, async (tx) => {
    for (const plant of planted) await plant(tx).execute(tx.db)
    findings = await audit(tx.db)
    throw new Error('roll back')
  })
  await assert.rejects(rolledBack, /roll back/)
  return findings
}

/** The same of all checks. */
export const foundAfter = (
  world: Pick<World, 'ctx' | 'db'>,
  ...planted: Statement[]
): Promise<Finding[]> => foundBy(world, auditAll, ...planted)

export const inOrder = (findings: readonly Finding[]): string[] =>
  findings.map(({ invariant, subject }) => `${invariant} ${subject}`).sort()
