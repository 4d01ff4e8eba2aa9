/** All checks of the invariants of a database. */

import { auditEvents } from '#events/events_audit.ts'
import { auditChains } from '#issuing/audit_records/audit_records.ts'
import { auditBulkIssuances } from '#issuing/bulk/bulk.ts'
import { auditCardOrders } from '#issuing/card_orders/card_orders.ts'
import { auditCards } from '#issuing/cards/cards.ts'
import { auditCharges } from '#issuing/charges/charges.ts'
import { auditClearings } from '#issuing/clearings/clearings.ts'
import { auditDisputes } from '#issuing/disputes/disputes.ts'
import { auditFiles } from '#issuing/identifications/identifications.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditLimits } from '#issuing/limits/limits.ts'
import { auditNetworkKeys } from '#issuing/networks/networks.ts'
import { auditTenants } from '#issuing/tenants/tenants.ts'
import { auditTokens } from '#issuing/tokens/tokens.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { auditUsers } from '#issuing/users/users.ts'
import { auditVault } from '#issuing/vault/vault.ts'
import { type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { auditAnswers } from '#kit/http/kept_answers.ts'
import { auditAcquirer, auditShopVault } from '#merchant/acquirer/acquirer.ts'
import { auditChargebacks } from '#merchant/chargebacks/chargebacks.ts'
import { auditOrders } from '#merchant/orders/orders.ts'
import { auditPayouts } from '#merchant/payouts/payouts.ts'
import { auditDueWork } from './due_work.ts'
import type { invariants } from './invariants.ts'
import { auditMessages } from './messages.ts'
import { auditMovements } from './movements.ts'
import { scopesOf } from './scopes.ts'
import { compareSides } from './sides.ts'
import { auditStuck } from './stuck/audit.ts'
import { auditTimes } from './times.ts'

export type AuditName = keyof typeof invariants

type Audit = {
  name: AuditName
  run: (db: Db, of: Scope) => Promise<Finding[]>
  /** On a cluster it is made for each tenant: it joins tables as only one node can. */
  perTenant?: true
}

const isPerTenant = { perTenant: true } as const

/** Each may run while the program works, since each of its statements reads one snapshot. */
export const audits: readonly Audit[] = [
  { name: 'tenants', run: auditTenants },
  { name: 'users', run: auditUsers },
  { name: 'files', run: auditFiles },
  { name: 'ledger', run: auditLedger },
  { name: 'movements by calls', run: auditMovements, ...isPerTenant },
  { name: 'charges', run: auditCharges },
  { name: 'cards', run: auditCards, ...isPerTenant },
  { name: 'orders of cards', run: auditCardOrders, ...isPerTenant },
  { name: 'vault', run: auditVault },
  { name: 'keys of networks', run: auditNetworkKeys },
  { name: 'tokens', run: auditTokens },
  { name: 'bulk issuances', run: auditBulkIssuances },
  { name: 'transactions', run: auditTransactions, ...isPerTenant },
  { name: 'disputes', run: auditDisputes, ...isPerTenant },
  { name: 'messages of the network', run: auditMessages, ...isPerTenant },
  { name: 'clearing files', run: auditClearings },
  { name: 'limits', run: auditLimits, ...isPerTenant },
  { name: 'orders', run: auditOrders },
  { name: 'messages to the issuer', run: auditAcquirer },
  { name: 'payments in doubt', run: auditStuck },
  { name: 'chargebacks', run: auditChargebacks },
  { name: 'payouts', run: auditPayouts },
  { name: 'card numbers of shops', run: auditShopVault },
  { name: 'events and deliveries', run: auditEvents, ...isPerTenant },
  { name: 'times', run: auditTimes, ...isPerTenant },
  { name: 'due work', run: auditDueWork },
  { name: 'idempotency keys', run: auditAnswers },
  { name: 'audit log', run: auditChains },
]

/** The line that `bezant doctor` prints for `compareSides`. */
export const SIDES = 'orders compared with the issuer' satisfies AuditName

/** The line about the nodes of a cluster; one server has none. */
export const NODES = 'nodes of a cluster' satisfies AuditName

/**
 * The findings of one check; empty when it holds. Undefined if it asks for all tenants at once and
 * a node of a cluster is away: then it cannot be made.
 */
export async function findingsOf(
  db: Db,
  { run, perTenant }: Audit,
  away: readonly string[] = [],
): Promise<Finding[] | undefined> {
  if (!perTenant && away.length > 0) return undefined
  const found: Finding[] = []
  const scopes = perTenant ? await scopesOf(db, away) : [ofAll]
  for (const of of scopes) found.push(...(await run(db, of)))
  return found
}

/** All findings; empty when all hold. `own_issuer`: payments go to this program's own port. */
export async function auditAll(db: Db, own_issuer = false): Promise<Finding[]> {
  const found: Finding[] = []
  for (const audit of audits) found.push(...((await findingsOf(db, audit)) ?? []))
  const sides = await compareSides(db, own_issuer)
  return [...found, ...sides.found]
}
