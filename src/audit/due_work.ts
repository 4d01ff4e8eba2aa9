/** Whether sweeps will find what is due: `due_work` compared with the rows of each kind (D-691). */

import { unansweredDue } from '#issuing/authorization/authorization.ts'
import { backtestsDue } from '#issuing/backtests/backtests.ts'
import { bulkDue } from '#issuing/bulk/bulk.ts'
import { ordersDue as cardOrdersDue } from '#issuing/card_orders/card_orders.ts'
import { blocksDue, embossingDue } from '#issuing/cards/cards.ts'
import { chargesDue, monthlyDue } from '#issuing/charges/charges.ts'
import { disputesDue } from '#issuing/disputes/disputes.ts'
import { checksDue, kycDue, roundsDue, screeningsDue } from '#issuing/verification/verification.ts'
import { deliveriesDue } from '#issuing/webhooks/webhooks.ts'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { type DueKind, listUnrecorded } from '#kit/jobs/due_work.ts'
import { advicesDueOf, filesDue, presentmentsDue } from '#merchant/acquirer/acquirer.ts'
import { chargebacksDue, entriesDue } from '#merchant/chargebacks/chargebacks.ts'
import { checkoutsDue } from '#merchant/checkouts/checkouts.ts'
import { operationsDueOf, ordersDue, payoutsDue } from '#merchant/orders/orders.ts'

/** The kinds of all slices; a test compares them with the sweeps of the program. */
export const dueKinds: readonly DueKind[] = [
  ...[checksDue, kycDue, chargesDue, monthlyDue, blocksDue, embossingDue, bulkDue],
  ...[cardOrdersDue, unansweredDue, disputesDue, backtestsDue, deliveriesDue],
  ...[advicesDueOf(null), checkoutsDue, ordersDue, operationsDueOf(null), payoutsDue],
  ...[chargebacksDue, entriesDue, screeningsDue, roundsDue, presentmentsDue, filesDue],
]

/** Tenant by tenant, so that a cluster reads each at its node. */
export async function auditDueWork(db: Db): Promise<Finding[]> {
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute()
  const found: Finding[] = []
  const kinds = [...dueKinds, ...(await kindsOfIssuers(db))]
  for (const { id: tenant_id } of tenants) {
    for (const one of await listUnrecorded({ db, tenant_id }, kinds)) {
      const { kind, due, recorded } = one
      const looked = recorded ? `before ${recorded.toISOString()}` : 'at all'
      const detail = `is due at ${due.toISOString()}, and no sweep looks ${looked}`
      found.push({ invariant: 'I4', tenant_id, subject: `due work ${kind}`, detail })
    }
    if (found.length >= FINDINGS_MAX) break
  }
  return found
}

/** Each issuer that merchants name has sweeps of its own (D-761). */
async function kindsOfIssuers(db: Db): Promise<DueKind[]> {
  const rows = await db
    .selectFrom('merchants')
    .select('issuer')
    .distinct()
    .where('issuer', 'is not', null)
    .execute()
  return rows.flatMap(({ issuer }) => [advicesDueOf(issuer), operationsDueOf(issuer)])
}
