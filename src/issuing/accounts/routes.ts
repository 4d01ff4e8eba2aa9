import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import {
  changeAccountStatus,
  findAccount,
  fundingOf,
  fundTenant,
  listAccounts,
  listAccountsOfCard,
  loadFunds,
  programAccountsOf,
  transferFunds,
  unloadFunds,
} from './accounts.ts'
import {
  AccountAnswer,
  AccountList,
  AccountStatusChange,
  AccountsOfCardQuery,
  AccountsQuery,
  FundingAnswer,
  FundingInput,
  FundingList,
  FundsAnswer,
  FundsInput,
  ProgramAccountList,
  TransferAnswer,
  TransferInput,
} from './schema.ts'

const moneyRefusals = ['account_not_active', 'insufficient_funds', 'balance_too_large']

const accountRoutes = [
  route({
    method: 'GET',
    path: '/accounts',
    permission: 'read',
    summary: 'List accounts',
    query: AccountsQuery,
    answer: AccountList,
    run: (ctx, { query }) => listAccounts(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/accounts/{id}',
    permission: 'read',
    summary: 'Get an account',
    params: IdPath,
    answer: AccountAnswer,
    refusals: ['not_found'],
    run: (ctx, { params }) => findAccount(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/cards/{id}/accounts',
    permission: 'read',
    summary: 'List the accounts linked to a card',
    params: IdPath,
    query: AccountsOfCardQuery,
    answer: AccountList,
    refusals: ['not_found'],
    run: (ctx, { params, query }) => listAccountsOfCard(ctx, params.id, query),
  }),
  route({
    method: 'PUT',
    path: '/accounts/{id}:statuschange',
    permission: 'write',
    summary: 'Change the status of an account',
    params: IdPath,
    body: AccountStatusChange,
    answer: AccountAnswer,
    refusals: ['not_found', 'account_status_move_refused'],
    run: (ctx, { params, body }) => changeAccountStatus(ctx, params.id, body),
  }),
]

const fundsRoutes = [
  route({
    method: 'POST',
    path: '/accounts/{id}:loadfunds',
    permission: 'write',
    summary: 'Move funds from program funding to an account',
    params: IdPath,
    body: FundsInput,
    answer: FundsAnswer,
    refusals: ['not_found', ...moneyRefusals],
    run: (ctx, { params, body }) => loadFunds(ctx, params.id, body),
  }),
  route({
    method: 'POST',
    path: '/accounts/{id}:unloadfunds',
    permission: 'write',
    summary: 'Move funds from an account back to program funding',
    params: IdPath,
    body: FundsInput,
    answer: FundsAnswer,
    refusals: ['not_found', ...moneyRefusals],
    run: (ctx, { params, body }) => unloadFunds(ctx, params.id, body),
  }),
  route({
    method: 'POST',
    path: '/transfers',
    permission: 'write',
    summary: 'Move funds between two accounts',
    body: TransferInput,
    answer: TransferAnswer,
    refusals: moneyRefusals,
    run: (ctx, { body }) => transferFunds(ctx, body),
  }),
]

const fundingRoutes = [
  route({
    method: 'POST',
    path: '/operator/tenants/{id}/funding',
    permission: 'operator',
    summary: "Add money to a tenant's program funding",
    params: IdPath,
    body: FundingInput,
    answer: FundingAnswer,
    refusals: ['not_found', 'balance_too_large'],
    run: (ctx, { params, body }) => fundTenant(ctx, params.id, body),
  }),
  route({
    method: 'GET',
    path: '/operator/tenants/{id}/funding',
    permission: 'operator',
    summary: "List the balances of a tenant's program funding",
    params: IdPath,
    answer: FundingList,
    refusals: ['not_found'],
    run: (ctx, { params }) => fundingOf(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/operator/tenants/{id}/programaccounts',
    permission: 'operator',
    summary: "List the program's own accounts of a tenant with their balances",
    params: IdPath,
    answer: ProgramAccountList,
    refusals: ['not_found'],
    run: (ctx, { params }) => programAccountsOf(ctx, params.id),
  }),
]

export const routes = [...accountRoutes, ...fundsRoutes, ...fundingRoutes]
