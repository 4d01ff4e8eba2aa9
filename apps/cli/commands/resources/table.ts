/** Objects that can be listed and shown: their filters and the columns of their tables. */

import type {
  Account,
  Card,
  ListAccountsQuery,
  ListCardsQuery,
  ListTransactionsQuery,
  ListUsersQuery,
  Transaction,
  User,
} from '#client/index.ts'
import { moneyOf } from '../../kit/amounts.ts'
import { AMOUNT, CREATED, type Filter, ID, id, type Resource, STATUS } from './columns.ts'
import { disputes } from './disputes.ts'

const userFilters: readonly Filter<keyof ListUsersQuery>[] = [
  {
    filter: 'status',
    words: 'status',
    values: [
      'PENDINGIDVERIFICATION',
      'PENDINGKYC',
      'PENDINGKYB',
      'ACTIVE',
      'SUSPENDED',
      'TERMINATED',
    ],
  },
  {
    filter: 'user_type',
    words: 'type',
    values: [
      'INDIVIDUAL',
      'BUSINESS',
      'DIRECTOR',
      'SIGNATURE',
      'SHAREHOLDER',
      'SHAREHOLDER_BUSINESS',
    ],
  },
  { filter: 'awaits_checks', about: 'only those whose checks are not finished' },
]
const users: Resource<User> = {
  one: 'user',
  filters: userFilters,
  examples: ['list --status ACTIVE', 'list --all --json', 'show ID'],
  columns: [
    ID,
    {
      title: 'NAME',
      rank: 1,
      least: 10,
      value: ({ first_name, last_name, company_name, business_legal_name }) =>
        [first_name, last_name].filter((name) => name).join(' ') ||
        (company_name ?? business_legal_name),
    },
    { title: 'TYPE', rank: 6, least: 10, value: ({ user_type }) => user_type },
    STATUS,
    { title: 'REASON', rank: 7, value: ({ status_reason_code }) => status_reason_code },
    CREATED,
  ],
  list: (bezant, query) => bezant.users.list(query),
  get: (bezant, user_id) => bezant.users.get(user_id),
}

const cardFilters: readonly Filter<keyof ListCardsQuery>[] = [
  id('user_id'),
  {
    filter: 'status',
    words: 'status',
    values: ['INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED'],
  },
  id('card_product_id'),
  id('bulk_issuance_id'),
  id('card_order_id'),
  { filter: 'last_four', words: 'digits' },
]
const cards: Resource<Card> = {
  one: 'card',
  filters: cardFilters,
  examples: ['list --user-id ID', 'list --last-four 4242', 'show ID'],
  columns: [
    ID,
    { title: 'CARD', rank: 1, least: 10, value: ({ masked_card_number }) => masked_card_number },
    { title: 'TYPE', rank: 5, value: ({ card_type }) => card_type },
    STATUS,
    { title: 'REASON', rank: 7, value: ({ status_reason_code }) => status_reason_code },
    { title: 'EXPIRY', rank: 4, value: ({ expiry_date }) => expiry_date },
    { title: 'ACCOUNT', rank: 9, least: 9, value: ({ account_id }) => account_id },
    CREATED,
  ],
  list: (bezant, query) => bezant.cards.list(query),
  get: (bezant, card_id) => bezant.cards.get(card_id),
}

const accountFilters: readonly Filter<keyof ListAccountsQuery>[] = [id('user_id'), id('card_id')]
const accounts: Resource<Account> = {
  one: 'account',
  filters: accountFilters,
  examples: ['list --card-id ID', 'show ID'],
  columns: [
    ID,
    {
      title: 'BALANCE',
      rank: 1,
      right: true,
      value: ({ balance, currency }) => moneyOf(balance, currency),
    },
    {
      title: 'HELD',
      rank: 5,
      right: true,
      value: ({ held_amount, currency }) => moneyOf(held_amount, currency),
    },
    {
      title: 'AVAILABLE',
      rank: 4,
      right: true,
      value: ({ available_balance, currency }) => moneyOf(available_balance, currency),
    },
    STATUS,
    { title: 'USER', rank: 9, least: 9, value: ({ user_id }) => user_id },
    CREATED,
  ],
  list: (bezant, query) => bezant.accounts.list(query),
  get: (bezant, account_id) => bezant.accounts.get(account_id),
}

const transactionFilters: readonly Filter<keyof ListTransactionsQuery>[] = [
  id('card_id'),
  id('account_id'),
  id('user_id'),
  {
    filter: 'status',
    words: 'status',
    values: ['PENDING', 'SETTLED', 'VOIDED', 'EXPIRED', 'DECLINED'],
  },
  { filter: 'transaction_type', words: 'type' },
  { filter: 'status_code', words: 'code' },
  { filter: 'amount', words: 'amount' },
  { filter: 'currency', words: 'code' },
  { filter: 'rrn', words: 'digits' },
  id('reference_transaction_id'),
  { filter: 'from', words: 'time' },
  { filter: 'to', words: 'time' },
]
const transactions: Resource<Transaction> = {
  one: 'transaction',
  filters: transactionFilters,
  examples: ['list --status DECLINED --from 2026-01-01', 'list --card-id ID', 'show ID'],
  columns: [
    ID,
    AMOUNT,
    {
      title: 'MERCHANT',
      rank: 4,
      least: 8,
      value: ({ merchant }) => merchant.name ?? merchant.id,
    },
    { title: 'TYPE', rank: 6, least: 8, value: ({ transaction_type }) => transaction_type },
    STATUS,
    { title: 'CODE', rank: 3, value: ({ status_code }) => status_code },
    {
      title: 'REASON',
      rank: 9,
      least: 12,
      value: ({ status_description }) => status_description,
    },
    CREATED,
  ],
  list: (bezant, query) => bezant.transactions.list(query),
  get: (bezant, transaction_id) => bezant.transactions.get(transaction_id),
}

// biome-ignore lint/suspicious/noExplicitAny: each row is of its own resource.
export const resources: Record<string, Resource<any>> = {
  users,
  cards,
  accounts,
  transactions,
  disputes,
}
