/** Statements that have a shape of shapes.ts for a reason. */

export type Exception = {
  /** Under src/. */
  files: RegExp
  shape: string
  why: string
}

const OPEN = 'a table of tenants without the value of its tenant'
const CORRELATED = 'a correlation with a reference table'

export const EXCEPTIONS: readonly Exception[] = [
  {
    files: /^src\/kit\/jobs\/sweeper\.ts/,
    shape: OPEN,
    why: 'A round of a sweep looks for tenants with due work on every shard, by an index of each.',
  },
  {
    files: /^src\/issuing\/audit_records\/chain\/(chaining|verifying)\.ts/,
    shape: OPEN,
    why: 'The chain is a sweep of all tenants, and doctor and its metrics read all of it.',
  },
  {
    files: /^src\/issuing\/ledger\/store\.ts/,
    shape: OPEN,
    why: 'The operator lists the accounts of all tenants that have little left.',
  },
  {
    files: /^src\/issuing\/tenants\/within\.ts/,
    shape: OPEN,
    why: 'The operator names an object whose tenant is to be found.',
  },
  {
    files: /^src\/issuing\/vault\/store\.ts/,
    shape: OPEN,
    why: 'Doctor looks for numbers without a card, and cards without a number, of all tenants.',
  },
  {
    files: /^src\/(audit\/\w+|(\w+\/)+(audit|events_audit|idempotency))\.ts/,
    shape: OPEN,
    why: 'Doctor checks all tenants; on a cluster those that join most are made for each (D-686).',
  },
  {
    files: /^src\/audit\/messages\.ts/,
    shape: CORRELATED,
    why: 'On a cluster doctor makes this check for each tenant, with its value (D-686).',
  },
  ...[
    'a function or a cast in ON CONFLICT … DO UPDATE',
    'an insert that selects from no table of the tenant',
    'an insert within WITH',
  ].map((shape) => ({
    files: /^src\/kit\/http\/callers\/buckets\.ts/,
    shape,
    why: 'Only one server gets this statement: a cluster gets two others (D-654).',
  })),
  {
    files: /^src\/kit\/http\/idempotency\.ts/,
    shape: 'an advisory lock',
    why: 'It only saves work: the unique key of the answer refuses the second effect (D-656).',
  },
  {
    files: /^src\/issuing\/webhooks\/claims\.ts/,
    shape: 'set_config',
    why: "The ways of plans at the tenant's own node, where claims are made; elsewhere only slow.",
  },
  {
    files: /^src\/kit\/http\/together\.ts/,
    shape: 'set_config',
    why: "The longest wait for a lock at the tenant's own node; elsewhere the statement's.",
  },
  {
    files: /^src\/issuing\/webhooks\/expansion\.ts/,
    shape: 'a notification',
    why: 'It is sent at the server of DATABASE_URL, on which all processes listen (D-684).',
  },
]
