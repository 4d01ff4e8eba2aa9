/** Statements that have a shape of shapes.ts for a reason. */

export type Exception = {
  /** The files that contain the statements. */
  files: readonly string[]
  shape: string
  why: string
  /** Whether a cluster gets another statement instead, so that this one is not tried there. */
  isOfOneServer?: true
}

const OPEN = 'a table of tenants without the value of its tenant'

/** Statements that a cluster may run in several steps or collect at one node. */
export const RARE: readonly Pick<Exception, 'files' | 'why'>[] = [
  { files: ['src/issuing/processes/store.ts'], why: 'A process writes its own row now and then.' },
  { files: ['src/portal/resets/store.ts'], why: 'A person asks for a new password.' },
]

/**
 * Its statements are not tried as the program's role, which may not read leaves: the owner sends
 * them (D-398).
 */
export const OF_OWNER = 'src/kit/db/partitions/'

export const EXCEPTIONS: readonly Exception[] = [
  {
    files: ['src/kit/jobs/due_finder.ts', 'src/kit/jobs/due_tenants.ts'],
    shape: OPEN,
    why: 'Sweeps look for tenants with due work on every shard, by an index of each.',
  },
  {
    files: ['src/kit/jobs/backlogs.ts'],
    shape: OPEN,
    why: 'A metric counts what waits of all tenants every 15 s, by an index (D-671).',
  },
  {
    files: [
      'src/issuing/audit_records/chain/anchor.ts',
      'src/issuing/audit_records/chain/chaining.ts',
      'src/issuing/audit_records/chain/verifying.ts',
    ],
    shape: OPEN,
    why: 'The chain is made by a sweep of all tenants; the anchor and doctor read all of it.',
  },
  {
    files: [
      'src/issuing/ledger/funding_store.ts',
      'src/issuing/verification/reviews_store.ts',
      'src/issuing/verification/screening/matches_store.ts',
    ],
    shape: OPEN,
    why: 'The operator lists accounts with little left, users to review, matches, of all tenants.',
  },
  {
    files: [
      'src/issuing/card_orders/answers/store.ts',
      'src/issuing/tenants/store.ts',
      'src/issuing/verification/screening/store.ts',
      'src/issuing/verification/store.ts',
    ],
    shape: OPEN,
    why: 'The operator, a bureau or a provider names an object whose tenant is to be found.',
  },
  {
    files: [
      'src/audit/stuck/store.ts',
      'src/merchant/chargebacks/operator_store.ts',
      'src/merchant/payouts/operator_store.ts',
    ],
    shape: OPEN,
    why: 'The operator lists payouts and stuck payments of all, and names one or a chargeback.',
  },
  {
    files: ['src/sandbox/receiver/store.ts', 'src/sandbox/responder/store.ts'],
    shape: OPEN,
    why: 'The sandbox forgets the questions and requests of all tenants whose time is over.',
  },
  {
    files: ['src/issuing/webhooks/left_over.ts'],
    shape: OPEN,
    why: 'A chore ends what is left of deleted subscriptions, of all tenants (D-887).',
  },
  {
    files: ['src/kit/keys/sealed_columns.ts'],
    shape: OPEN,
    why: 'A rotation of keys seals the rows of all tenants again, when the operator starts it.',
  },
  {
    files: ['src/kit/db/security/isolation.ts'],
    shape: OPEN,
    why: 'The start proves that no row is seen where no tenant is stated (D-646).',
  },
  {
    files: [
      'src/issuing/bulk/audit.ts',
      'src/issuing/charges/audit.ts',
      'src/issuing/charges/audit_rows.ts',
      'src/issuing/clearings/audit.ts',
      'src/issuing/identifications/audit.ts',
      'src/issuing/ledger/audit.ts',
      'src/issuing/tenants/audit.ts',
      'src/issuing/tokens/audit.ts',
      'src/issuing/users/audit.ts',
      'src/issuing/vault/store.ts',
      'src/kit/http/kept_answers.ts',
      'src/audit/stuck/audit.ts',
      'src/merchant/acquirer/audit.ts',
      'src/merchant/acquirer/audit_messages.ts',
      'src/merchant/acquirer/files/audit.ts',
      'src/merchant/chargebacks/audit.ts',
      'src/merchant/orders/audit.ts',
      'src/merchant/orders/audit_rows.ts',
      'src/merchant/payouts/audit.ts',
    ],
    shape: OPEN,
    why: 'Doctor checks all tenants, on every shard; and old answers of all are forgotten.',
  },
  ...[OPEN, 'a correlation with a reference table'].map((shape) => ({
    files: [
      'src/audit/messages.ts',
      'src/audit/movements.ts',
      'src/audit/sides.ts',
      'src/audit/times.ts',
      'src/issuing/card_orders/audit.ts',
      'src/issuing/cards/audit.ts',
      'src/issuing/disputes/audit.ts',
      'src/issuing/limits/audit.ts',
      'src/issuing/transactions/audit.ts',
      'src/issuing/transactions/audit_belongings.ts',
      'src/issuing/transactions/audit_history.ts',
      'src/events/events_audit.ts',
    ],
    shape,
    why: 'On a cluster doctor makes these checks for each tenant, with its value (D-686).',
    isOfOneServer: true as const,
  })),
  {
    files: ['src/audit/reconciliation/books/whose.ts'],
    shape: 'a correlation with a reference table',
    why: 'What the tenant lacks is looked for in all others; a cluster gets another statement.',
    isOfOneServer: true as const,
  },
  ...[
    'a function or a cast in ON CONFLICT … DO UPDATE',
    'an insert that selects from no table of the tenant',
    'an insert that selects from a reference table',
    'an insert within WITH',
  ].map((shape) => ({
    files: ['src/kit/http/callers/buckets.ts'],
    shape,
    why: 'Only one server gets this statement: a cluster gets two others (D-654).',
    isOfOneServer: true as const,
  })),
  {
    files: ['src/issuing/statistics/store.ts'],
    shape: 'an insert that selects from a reference table',
    why: 'Once in a quarter of an hour for a tenant at most; the other shards insert nothing.',
  },
  {
    files: ['src/issuing/audit_records/chain/chaining.ts', 'src/kit/http/idempotency.ts'],
    shape: 'an advisory lock',
    why: 'It only saves work: a unique key refuses the second effect (D-656).',
  },
  {
    files: ['src/issuing/tenants/store.ts', 'src/sandbox/seed/seed.ts'],
    shape: 'an advisory lock',
    why: 'A start takes it at the server of DATABASE_URL, against other starts there (D-656).',
  },
  {
    files: ['src/issuing/webhooks/claims.ts'],
    shape: 'set_config',
    why: "The ways of plans at the tenant's own node, where claims are made; elsewhere only slow.",
  },
  {
    files: ['src/kit/db/locks.ts'],
    shape: 'set_config',
    why: "The longest wait for a lock at the tenant's own node; elsewhere the statement's.",
  },
  {
    files: ['src/kit/db/connections/announcements.ts'],
    shape: 'a notification',
    why: 'It is sent at the server of DATABASE_URL, on which all processes listen (D-684).',
  },
]
