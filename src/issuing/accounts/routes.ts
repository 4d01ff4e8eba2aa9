import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import {
  changeAccountStatus,
  type FundsRequest,
  findAccount,
  fundingOf,
  fundsAnswer,
  fundTenant,
  listAccounts,
  listAccountsOfCard,
  listEntries,
  lowFunding,
  moveFundsInList,
  moveFundsOnce,
  ownFunding,
  programAccountsOf,
  statementCsv,
  transferAnswer,
} from './accounts.ts'
import {
  AccountAnswer,
  AccountEntryList,
  AccountList,
  AccountPath,
  AccountStatusChange,
  AccountsOfCardQuery,
  AccountsQuery,
  CardPath,
  FundingAnswer,
  FundingInput,
  FundingList,
  FundingUseList,
  FundsAnswer,
  FundsInput,
  LowFundingList,
  LowFundingQuery,
  ProgramAccountList,
  StatementQuery,
  TenantPath,
  TransferAnswer,
  TransferInput,
} from './schema.ts'

const moneyErrors = ['account_not_active', 'insufficient_funds', 'balance_too_large'] as const
const aboveLimits = [
  'maximum_account_balance_limit_reached',
  'maximum_user_balance_limit_reached',
] as const
const belowLimits = [
  'minimum_account_balance_limit_reached',
  'minimum_user_balance_limit_reached',
] as const

const accountRoutes = [
  route({
    id: 'listAccounts',
    tag: 'Accounts',
    description:
      'Lists card accounts, newest first, of all users, of one user or of one card. Program ' +
      'accounts are not listed.',
    method: 'GET',
    path: '/accounts',
    permission: 'read',
    summary: 'List accounts',
    query: AccountsQuery,
    answer: AccountList,
    run: (ctx, { query }) => listAccounts(ctx, query),
  }),
  route({
    id: 'getAccount',
    tag: 'Accounts',
    description:
      'Returns a card account with its balances and the ids of its cards. The id of a program ' +
      'account answers not_found.',
    method: 'GET',
    path: '/accounts/{id}',
    permission: 'read',
    summary: 'Get an account',
    params: AccountPath,
    answer: AccountAnswer,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'accounts', params.id),
    run: (ctx, { params }) => findAccount(ctx, params.id),
  }),
  route({
    id: 'listAccountEntries',
    tag: 'Accounts',
    description:
      'Lists what was posted to the account from `from` up to but without `to`, newest first, ' +
      'with the balance after each entry. Holds are not listed. With `Accept: text/csv` the ' +
      'answer is the whole statement as a CSV file; `limit` then has no effect, and text that a ' +
      'spreadsheet could read as a formula begins with an apostrophe.',
    method: 'GET',
    path: '/accounts/{id}/transactions',
    permission: 'read',
    summary: 'List the entries of an account',
    params: AccountPath,
    query: StatementQuery,
    answer: AccountEntryList,
    errors: ['not_found'],
    run: (ctx, { params, query }) => listEntries(ctx, params.id, query),
    csv: (ctx, { params, query }) => statementCsv(ctx, params.id, query),
  }),
  route({
    id: 'listCardAccounts',
    tag: 'Accounts',
    description:
      'Lists the account that is linked to the card. The list is empty while no account is ' +
      'linked.',
    method: 'GET',
    path: '/cards/{id}/accounts',
    permission: 'read',
    summary: 'List the accounts of a card',
    params: CardPath,
    query: AccountsOfCardQuery,
    answer: AccountList,
    errors: ['not_found'],
    run: (ctx, { params, query }) => listAccountsOfCard(ctx, params.id, query),
  }),
  route({
    id: 'changeAccountStatus',
    tag: 'Accounts',
    description:
      'Sets the status of the account. Any status may follow any other; the status that the ' +
      'account has already answers account_status_move_refused. Sends ACCOUNT_STATUS_CHANGE.',
    method: 'PUT',
    path: '/accounts/{id}:statuschange',
    permission: 'write',
    summary: 'Change the status of an account',
    params: AccountPath,
    body: AccountStatusChange,
    answer: AccountAnswer,
    errors: ['not_found', 'account_status_move_refused'],
    run: (ctx, { params, body }) => changeAccountStatus(ctx, params.id, body),
  }),
]

type OfAccount = { params: { id: string }; body: FundsInput }

const load = ({ params, body }: OfAccount): FundsRequest => ({
  kind: 'LOAD',
  account_id: params.id,
  input: body,
})
const unload = ({ params, body }: OfAccount): FundsRequest => ({
  kind: 'UNLOAD',
  account_id: params.id,
  input: body,
})
const transfer = ({ body }: { body: TransferInput }): FundsRequest => ({
  kind: 'TRANSFER',
  input: body,
})

const fundsRoutes = [
  route({
    id: 'loadAccountFunds',
    tag: 'Accounts',
    description:
      "Moves money from the tenant's program funding account of that currency to the card " +
      'account, at once. The account must be ACTIVE and the funding account must hold the ' +
      'amount. A dry run makes every check and changes nothing.',
    method: 'POST',
    changes: ['transfer_id'],
    path: '/accounts/{id}:loadfunds',
    permission: 'write',
    summary: 'Load funds to an account',
    params: AccountPath,
    body: FundsInput,
    answer: FundsAnswer,
    errors: ['not_found', ...moneyErrors, ...aboveLimits],
    listed: (ctx, input, keep) =>
      moveFundsInList(ctx, { request: load(input), present: fundsAnswer, keep }),
    run: async (ctx, input) => fundsAnswer(await moveFundsOnce(ctx, load(input))),
  }),
  route({
    id: 'unloadAccountFunds',
    tag: 'Accounts',
    description:
      "Moves money from the card account back to the tenant's program funding account of that " +
      'currency, at once. The account must be ACTIVE and its available balance must cover the ' +
      'amount. A dry run makes every check and changes nothing.',
    method: 'POST',
    changes: ['transfer_id'],
    path: '/accounts/{id}:unloadfunds',
    permission: 'write',
    summary: 'Unload funds from an account',
    params: AccountPath,
    body: FundsInput,
    answer: FundsAnswer,
    errors: ['not_found', ...moneyErrors, ...belowLimits],
    listed: (ctx, input, keep) =>
      moveFundsInList(ctx, { request: unload(input), present: fundsAnswer, keep }),
    run: async (ctx, input) => fundsAnswer(await moveFundsOnce(ctx, unload(input))),
  }),
  route({
    id: 'createTransfer',
    tag: 'Transfers',
    description:
      'Moves money between two card accounts of one currency, at once. Both accounts must be ' +
      'ACTIVE, the card products of both must allow the transfer, and the available balance ' +
      'of the sender must cover the amount. A dry run makes every check and changes nothing.',
    method: 'POST',
    changes: ['sender_account_id', 'recipient_account_id', 'transfer_id'],
    path: '/transfers',
    permission: 'write',
    summary: 'Transfer funds between accounts',
    body: TransferInput,
    answer: TransferAnswer,
    errors: [
      ...[...moneyErrors, ...belowLimits, ...aboveLimits],
      ...(['outgoing_transfers_not_allowed', 'incoming_transfers_not_allowed'] as const),
    ],
    listed: (ctx, input, keep) =>
      moveFundsInList(ctx, { request: transfer(input), present: transferAnswer, keep }),
    run: async (ctx, input) => transferAnswer(await moveFundsOnce(ctx, transfer(input))),
  }),
]

const fundingRoutes = [
  route({
    id: 'listFunding',
    tag: 'Accounts',
    description:
      'Lists the program funding accounts of the tenant, from which accounts are loaded, one for ' +
      'each currency: its balance, the amount that left it lately, and for how many days it ' +
      'lasts at this rate. The answer is never split into pages.',
    method: 'GET',
    path: '/funding',
    permission: 'read',
    summary: 'List program funding',
    answer: FundingUseList,
    run: (ctx) => ownFunding(ctx),
  }),
  route({
    id: 'fundTenantAsOperator',
    tag: 'Operator',
    description:
      "Adds money to the tenant's program funding account of a currency, from which accounts " +
      'are loaded. The accounts of the program in that currency are created with the first ' +
      'funding.',
    method: 'POST',
    path: '/operator/tenants/{id}/funding',
    permission: 'operator',
    summary: 'Fund a tenant',
    params: TenantPath,
    body: FundingInput,
    answer: FundingAnswer,
    errors: ['not_found', 'balance_too_large'],
    changes: ['transfer_id'],
    run: (ctx, { params, body }) => fundTenant(ctx, params.id, body),
  }),
  route({
    id: 'listTenantFundingAsOperator',
    tag: 'Operator',
    description:
      "Lists the tenant's program funding accounts with their balances, one for each " +
      'currency. The answer is never split into pages.',
    method: 'GET',
    path: '/operator/tenants/{id}/funding',
    permission: 'operator',
    summary: 'List the funding balances of a tenant',
    params: TenantPath,
    answer: FundingList,
    errors: ['not_found'],
    run: (ctx, { params }) => fundingOf(ctx, params.id),
  }),
  route({
    id: 'listLowFunding',
    tag: 'Operator',
    description:
      'Lists the program funding accounts of all tenants that have less available than `below`, ' +
      'by the names of the tenants; at most 200. The answer is never split into pages.',
    method: 'GET',
    path: '/operator/funding',
    permission: 'operator',
    summary: 'List tenants with low funding',
    query: LowFundingQuery,
    answer: LowFundingList,
    run: (ctx, { query }) => lowFunding(ctx, query),
  }),
  route({
    id: 'listProgramAccountsAsOperator',
    tag: 'Operator',
    description:
      "Lists the tenant's own accounts (funding, external, settlement, fees) of each " +
      'currency. A balance is the sum of the entries of the account. The answer is never ' +
      'split into pages.',
    method: 'GET',
    path: '/operator/tenants/{id}/programaccounts',
    permission: 'operator',
    summary: 'List the program accounts of a tenant',
    params: TenantPath,
    answer: ProgramAccountList,
    errors: ['not_found'],
    run: (ctx, { params }) => programAccountsOf(ctx, params.id),
  }),
]

export const routes = [...accountRoutes, ...fundsRoutes, ...fundingRoutes]
