/** A statement names only tables of its own slice or of slices before it (ARCHITECTURE.md). */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withoutComments } from '#test/support/inspection/comments.ts'
import { slices } from '#test/support/inspection/slices.ts'

/** The layers below the slices, the slices, and what may read all of them. */
const ORDER = ['kit', 'events', 'callers', ...slices, 'sandbox', 'audit', 'program']

/** Migrations that have another name than the owner of their tables. */
const OWNER_OF: Readonly<Record<string, string>> = {
  audit: 'audit_records',
  acquirer_files: 'acquirer',
  chargeback_files: 'chargebacks',
  clearing_exports: 'clearings',
  clearing_places: 'clearings',
  network_lines: 'networks',
  portal: 'mails',
  screening: 'verification',
  screening_rounds: 'verification',
  sandbox_identity: 'sandbox',
  responder_listener: 'sandbox',
  webhook_receivers: 'sandbox',
  settlements: 'audit',
}

const ownerOfTable = new Map(
  globSync('migrations/0*.sql').flatMap((path) => {
    const name = /\d+_(\w+)\.sql/.exec(path)?.[1] ?? ''
    const tables = readFileSync(path, 'utf8').matchAll(
      /^create table (?:if not exists )?([\w.]+)/gm,
    )
    return [...tables].map(([, table = '']) => [table, OWNER_OF[name] ?? name] as const)
  }),
)

/** The layer or slice of a file; the folder below the API for a slice. */
const ownerOfFile = (path: string): string =>
  /^src\/(?:issuing|merchant|portal)\/(\w+)\//.exec(path)?.[1] ?? path.split('/')[1] ?? ''

const NAMED =
  /\b(?:from|join|update|into|only|table)\s+(?:only\s+)?([a-z_]+(?:\.[a-z_]+)?)\b|(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*'([\w.]+)/g

/** Tables that every layer may name: each statement names its tenant. */
const OF_ALL = ['tenants']

/** Audits compare what slices have written; only doctor runs them. */
const isAudit = (path: string): boolean => /\/audit(_\w+)?\.ts$|_audit\.ts$/.test(path)

/** Files that name tables of others, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/callers/keys.ts: api_keys': 'key, tenant and rate are found by one statement',
  'src/callers/own_role.ts: memberships': 'the row is locked before an effect outlasts the session',
  'src/callers/sessions.ts: memberships': 'session, member and rate are found by one statement',
  'src/callers/sessions.ts: passkeys': 'session, member and rate are found by one statement',
  'src/callers/sessions.ts: people': 'session, member and rate are found by one statement',
  'src/callers/sessions.ts: portal_sessions': 'session and rate are found by one statement',
  'src/events/outbox.ts: deliveries': 'an event is written with its deliveries',
  'src/events/outbox.ts: webhooks': 'an event is written with its deliveries',
  'src/issuing/accounts/statement_store.ts: transactions': 'a line names the card and the merchant',
  'src/issuing/accounts/store.ts: cards': 'accounts are listed by their cards',
  'src/issuing/charges/store.ts: cards': 'months are due for cards, a batch by one statement',
  'src/issuing/limits/store.ts: cards': 'counters of an account are those of its cards',
  'src/issuing/vault/store.ts: cards': 'doctor looks for numbers without a card',
  'src/issuing/vault/store.ts: tokens': 'doctor looks for numbers without a token',
  'src/issuing/vault/store.ts: vault.mailed_pins': 'only the vault reads its database schema',
  'src/issuing/versions/versions.ts: accounts': 'slices before the ledger change what it rests on',
  'src/issuing/versions/versions.ts: card_products': 'a version is raised where a key changes',
  'src/issuing/versions/versions.ts: cards': 'the account of a card is found with its version',
  'src/kit/audit_log/writing.ts: audit_pending': 'a record is written with its effect',
  'src/kit/audit_log/writing.ts: audit_records': 'a record is written with its effect',
  'src/merchant/orders/store.ts: chargebacks': 'a refund leaves what a dispute has taken',
}

function namedIn(path: string): string[] {
  const text = withoutComments(readFileSync(path, 'utf8'))
  const tables = [...text.matchAll(NAMED)].map(([, sql, kysely]) => sql ?? kysely ?? '')
  return [...new Set(tables)].filter((table) => !OF_ALL.includes(table))
}

const isLater = (table: string, own: string): boolean => {
  const owner = ownerOfTable.get(table)
  return owner !== undefined && ORDER.indexOf(owner) > ORDER.indexOf(own)
}

test('every table has an owner in the order', () => {
  assert.ok(ownerOfTable.size > 80)
  assert.deepEqual(
    [...ownerOfTable.values()].filter((owner) => !ORDER.includes(owner)),
    [],
  )
})

test('a statement names tables of its own slice and of those before it, but for the exceptions', () => {
  const found = globSync('src/**/*.ts')
    .filter((path) => !path.endsWith('.test.ts') && !isAudit(path))
    .filter((path) => path !== 'src/kit/db/tables.ts')
    .flatMap((path) =>
      namedIn(path)
        .filter((table) => isLater(table, ownerOfFile(path)))
        .map((table) => `${path}: ${table}`),
    )
  assert.deepEqual(found.sort(), Object.keys(EXCEPTIONS).sort())
})
