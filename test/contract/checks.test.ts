/**
 * The CHECK constraints know the same sets as the code, and reject everything else (D-376).
 * Constraints of transactions and of the ledger have tests beside their stores.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entryTypes } from '#issuing/accounts/schema.ts'
import {
  cardStatuses,
  cardTypes,
  fulfillmentStatuses,
  statusReasons,
} from '#issuing/cards/schema.ts'
import { messengers, sendings, storedStatuses } from '#issuing/challenges/schema.ts'
import { recordKinds } from '#issuing/clearings/rules/facts.ts'
import { recordStates } from '#issuing/clearings/rules/ways.ts'
import { credits } from '#issuing/disputes/rules/money.ts'
import { reasons, schemes } from '#issuing/disputes/rules/reasons.ts'
import {
  outcomes as disputeOutcomes,
  statuses as disputeStatuses,
  outgoings,
} from '#issuing/disputes/rules/states.ts'
import { documentStatuses, identificationTypes } from '#issuing/identifications/rules/documents.ts'
import { transactionStatuses, transactionTypes } from '#issuing/transactions/schema.ts'
import { userTypes } from '#issuing/users/rules/fields.ts'
import { reasonCodes, userStatuses } from '#issuing/users/rules/status.ts'
import { outcomes, purposes } from '#issuing/verification/provider.ts'
import { kycPolicies, kycStatuses } from '#issuing/verification/rules/kyc.ts'
import { checkStatuses, matchStatuses } from '#issuing/verification/schema.ts'
import { deliveryStatuses } from '#issuing/webhooks/schema.ts'
import { widgets } from '#issuing/widgets/schema.ts'
import { directions, sources } from '#issuing/wire_messages/schema.ts'
import { statuses as chargebackStatuses } from '#merchant/chargebacks/rules.ts'
import { BASE_TABLES } from '#test/support/inspection/base_tables.ts'
import { connectToSchema, neutralRow, violationOf } from '#test/support/inspection/violations.ts'

const client = await connectToSchema()

/** The words of each check of the form `column in (…)` or `column = any ('{…}')`, by column. */
const sets = new Map<string, string[]>()
const { rows: checks } = await client.query<{ table: string; text: string }>(
  `select conrelid::regclass::text as table, pg_get_constraintdef(k.oid) as text
   from pg_constraint k join pg_class r on r.oid = k.conrelid
   where k.contype = 'c' and not r.relispartition`,
)
for (const { table, text } of checks) {
  const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(text) ?? []
  if (column && list !== undefined) {
    const words = list.matchAll(/'([^']*)'::text/g)
    sets.set(
      `${table}.${column}`,
      [...words].map(([, word = '']) => word),
    )
  }
  const [, name, array] = /^CHECK \(\((\w+) = ANY \('{([^}]*)}'::text\[\]\)\)\)$/.exec(text) ?? []
  if (name && array !== undefined) sets.set(`${table}.${name}`, array.split(','))
}

describe('a check knows the same set as the code', () => {
  // Calls and program funding move money by other names; nothing writes an ADJUSTMENT yet.
  const ofDisputes = ['CHARGEBACK', 'REPRESENTMENT', 'EXCHANGE', 'WRITE_OFF'].map(
    (kind) => `DISPUTE_${kind}`,
  )
  const kinds = [...entryTypes.filter((type) => type !== 'ADJUSTMENT')]
  const known: Readonly<Record<string, readonly string[]>> = {
    'wire_messages.source': sources,
    'wire_messages.direction': directions,
    'users.user_type': userTypes,
    'users.status': userStatuses,
    'users.status_reason_code': reasonCodes,
    'user_status_changes.old_status': userStatuses,
    'user_status_changes.old_status_reason_code': reasonCodes,
    'user_status_changes.new_status': userStatuses,
    'user_status_changes.new_status_reason_code': reasonCodes,
    'identifications.type': identificationTypes,
    'identifications.document_status': documentStatuses,
    'identity_checks.outcome': outcomes,
    'kyc_requests.kyc_policy': kycPolicies,
    'kyc_requests.status': kycStatuses,
    'challenges.status': storedStatuses,
    'challenges.messenger': messengers,
    'challenges.sending': sendings,
    'screenings.purpose': purposes.filter((purpose) => purpose !== 'KYC'),
    'screenings.status': checkStatuses,
    'screening_matches.purpose': purposes,
    'screening_matches.status': matchStatuses,
    'disputes.status': disputeStatuses,
    'disputes.reason': reasons,
    'disputes.scheme': schemes,
    'disputes.provisional_credit': credits,
    'disputes.outgoing': outgoings,
    'disputes.outcome': disputeOutcomes,
    'chargebacks.status': chargebackStatuses,
    'transfers.kind': [
      ...[...kinds, 'CLEARING', 'FX_DIFFERENCE', 'PROGRAM_FUNDING'],
      ...['SUSPENSE', 'SUSPENSE_WRITE_OFF', 'SCHEME_FEE', ...ofDisputes],
    ],
    'clearing_records.kind': recordKinds,
    'clearing_records.state': recordStates,
    'cards.card_type': cardTypes,
    'cards.status': cardStatuses,
    'cards.status_reason_code': statusReasons,
    'cards.fulfillment_status': fulfillmentStatuses,
    'widget_tokens.widget': widgets,
    'transactions.status': transactionStatuses,
    'transactions.transaction_type': transactionTypes,
    'deliveries.status': deliveryStatuses,
  }
  for (const [column, words] of Object.entries(known)) {
    test(column, () => assert.deepEqual(sets.get(column)?.toSorted(), [...words].sort()))
  }
})

async function columnsNamed(pattern: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name
     from information_schema.columns c
     join (${BASE_TABLES}) t on c.table_schema = t.schema and c.table_name = t.name
     where t.schema = 'public' and c.data_type = 'text'
       and c.column_name ~ $1 order by 1`,
    [pattern],
  )
  return rows.map(({ name }) => name)
}

test('every column that contains a status has a set of words', async () => {
  const columns = await columnsNamed('(^|_)status$')
  assert.ok(columns.length > 15)
  // It is SUBMITTED or null, as the status has it.
  assert.deepEqual(
    columns.filter((column) => !sets.has(column)),
    ['kyc_requests.old_status'],
  )
})

const [LETTERS, DIGITS] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']
/** The rest of the column without these characters. */
const only = (characters: string) => `translate\\(\\1, '${characters}'::text, ''::text\\)`

test('every column that contains a currency has its shape', async () => {
  // The tables that each decision writes have no regular expressions.
  const shapes = [
    /^CHECK \(\((\w+) ~ '\^\[A-Z\]\{3\}\$'::text\)\)$/,
    new RegExp(
      `^CHECK \\(\\(\\(length\\((\\w+)\\) = 3\\) AND \\(${only(LETTERS)} = ''::text\\)\\)\\)$`,
    ),
    new RegExp(
      `^CHECK \\(\\(\\(length\\((\\w+)\\) = 3\\) AND ` +
        `\\(\\(''::text = ${only(LETTERS)}\\) OR \\(''::text = ${only(DIGITS)}\\)\\)\\)\\)$`,
    ),
  ]
  const shaped = checks.flatMap(({ table, text }) => {
    const column = shapes.map((shape) => shape.exec(text)?.[1]).find((name) => name !== undefined)
    return column ? [`${table}.${column}`] : []
  })
  assert.deepEqual(shaped.sort(), await columnsNamed('(^|_)currency$'))
})

type Fault = [what: string, constraint: string, change: object]
const user = { user_type: 'INDIVIDUAL', status: 'ACTIVE', status_reason_code: 'A0' }
const kyc = { kyc_policy: kycPolicies[0], status: 'SUBMITTED', status_code: 'I0' }
const change = {
  old_status: 'ACTIVE',
  old_status_reason_code: 'A0',
  new_status: 'SUSPENDED',
  new_status_reason_code: 'S0',
  actor_kind: 'client',
}
const product = {
  currency: 'AED',
  status: 'ACTIVE',
  pan_range_start: '1',
  pan_range_end: '2',
  initial_status_of_physical_card: 'INACTIVE',
  initial_status_of_virtual_card: 'ACTIVE',
}
const card = {
  card_type: 'VIRTUAL',
  status: 'ACTIVE',
  status_reason_code: 'A0',
  expiry_date: '2030-01',
}
const check = { phase: 'FIRST', status: 'COMPLETED', result: 'CONSIDER', outcome: 'caution' }
const checkout = { status: 'PAID', currency: 'AED' }
const order = { status: 'OPENED', currency: 'AED', deadline_policy: 'void' }

/** Members that make a neutral row sound, and changes of it that are not, by table. */
const faults: Readonly<Record<string, [sound: object, ...faults: Fault[]]>> = {
  idempotency_keys: [{ status: 200 }, ['no HTTP status', 'status_check', { status: 42 }]],
  users: [user, ['an unknown reason', 'status_reason_code_check', { status_reason_code: 'Z9' }]],
  user_status_changes: [
    change,
    ['an unknown old reason', 'old_status_reason_code_check', { old_status_reason_code: 'Z9' }],
    ['an unknown new reason', 'new_status_reason_code_check', { new_status_reason_code: 'Z9' }],
    ['an unknown actor', 'actor_kind_check', { actor_kind: 'guest' }],
  ],
  identity_checks: [check, ['an unknown outcome', 'outcome_check', { outcome: 'unsure' }]],
  kyc_requests: [
    kyc,
    ['a code of another status', 'status_code', { status_code: 'P0' }],
    ['an old status without a result', 'old_status', { old_status: 'SUBMITTED' }],
    ['a result without the old status', 'old_status', { status: 'OK', status_code: 'P0' }],
  ],
  card_products: [product, ['a currency in digits', 'currency_check', { currency: '784' }]],
  cards: [card, ['an unknown reason', 'status_reason_code_check', { status_reason_code: 'Z9' }]],
  bulk_issuances: [
    { status: 'DRAFT', currency: 'AED' },
    ['a currency in digits', 'currency_check', { currency: '784' }],
    ['an error where it has not failed', 'error', { error: {} }],
  ],
  network_messages: [
    { mti: '0100' },
    ['a network management message', 'mti_check', { mti: '0800' }],
  ],
  wire_messages: [
    { source: 'NETWORK', direction: 'SENT', mti: '0110', bytes: 1 },
    ['an unknown source', 'source_check', { source: 'POST' }],
    ['an unknown direction', 'direction_check', { direction: 'LOST' }],
    ['a type of three digits', 'mti_check', { mti: '110' }],
    ['no bytes', 'bytes_check', { bytes: 0 }],
  ],
  unanswered_approvals: [
    {},
    ['a negative amount', 'amount_check', { amount: -1 }],
    ['a negative number of tries', 'tries_check', { tries: -1 }],
  ],
  webhooks: [
    { status: 'DISABLED', disabled_reason: 'GONE' },
    ['an unknown reason', 'disabled_reason_check', { disabled_reason: 'BORED' }],
  ],
  checkouts: [checkout, ['a currency in digits', 'currency_check', { currency: '784' }]],
  orders: [order, ['a currency in digits', 'currency_check', { currency: '784' }]],
}
for (const [table, [sound, ...changes]] of Object.entries(faults)) {
  describe(`the table ${table} rejects`, () => {
    for (const [what, constraint, change] of changes) {
      test(what, async () => {
        const row = { ...(await neutralRow(client, table)), ...sound }
        assert.equal(await violationOf(client, table, row), undefined)
        const rejected = await violationOf(client, table, { ...row, ...change })
        assert.equal(rejected, `${table}_${constraint}`)
      })
    }
  })
}
