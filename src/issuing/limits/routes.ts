import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { availableOf } from './available.ts'
import {
  createLimit,
  findLimit,
  linkLimits,
  listLimits,
  listLinkedLimits,
  unlinkLimits,
  updateLimit,
} from './limits.ts'
import { presentLimit } from './present.ts'
import {
  Available,
  AvailableQuery,
  BalanceLimit,
  BalanceLimitChanges,
  BalanceLimitList,
  LimitIds,
  LimitQuery,
  LinkedLimits,
  NewBalanceLimit,
  NewVelocityLimit,
  VelocityLimit,
  VelocityLimitChanges,
  VelocityLimitList,
} from './schema.ts'
import type { Owner } from './store.ts'

const kinds = {
  BALANCE: {
    name: 'Balance',
    word: 'balance',
    path: 'balancelimits',
    created: NewBalanceLimit,
    changes: BalanceLimitChanges,
    limit: BalanceLimit,
    list: BalanceLimitList,
    what: 'A balance limit says how little may remain and how much may be held.',
  },
  VELOCITY: {
    name: 'Velocity',
    word: 'velocity',
    path: 'velocitylimits',
    created: NewVelocityLimit,
    changes: VelocityLimitChanges,
    limit: VelocityLimit,
    list: VelocityLimitList,
    what: 'A velocity limit says how much one transaction, or those of a period, may be.',
  },
} as const
type Kind = keyof typeof kinds

const TAG = { tag: 'Limits' } as const

const definitions = (kind: Kind): Route[] => [...collection(kind), ...single(kind)]

function collection(kind: Kind): Route[] {
  const { name, word, path, created, limit, list, what } = kinds[kind]
  return [
    route({
      ...TAG,
      id: `create${name}Limit`,
      method: 'POST',
      path: `/${path}`,
      description: `${what} It applies where it is linked, to accounts of its currency.`,
      permission: 'write',
      summary: `Create a ${word} limit`,
      body: created,
      answer: limit,
      errors: ['id_taken'],
      run: async (ctx, { body }) => presentLimit(await createLimit(ctx, kind, body)),
    }),
    route({
      ...TAG,
      id: `list${name}Limits`,
      method: 'GET',
      path: `/${path}`,
      description: `Lists the ${word} limits of the tenant, newest first, in pages.`,
      permission: 'read',
      summary: `List ${word} limits`,
      query: LimitQuery,
      answer: list,
      run: async (ctx, { query }) => {
        const page = await listLimits(ctx, kind, query)
        return { ...page, data: page.data.map(presentLimit) }
      },
    }),
  ]
}

function single(kind: Kind): Route[] {
  const { name, word, path, changes, limit } = kinds[kind]
  return [
    route({
      ...TAG,
      id: `get${name}Limit`,
      method: 'GET',
      path: `/${path}/{id}`,
      description: `Answers one ${word} limit.`,
      permission: 'read',
      summary: `Get a ${word} limit`,
      params: IdPath,
      answer: limit,
      errors: ['not_found'],
      lock: (tx, params) => lockRow(tx, 'limits', params.id),
      run: async (ctx, { params }) => presentLimit(await findLimit(ctx, kind, params.id)),
    }),
    route({
      ...TAG,
      id: `update${name}Limit`,
      method: 'PUT',
      path: `/${path}/{id}`,
      description:
        'Changes the members that are sent; `null` clears a member that may be absent. The next ' +
        'authorization is decided on the changed limit.',
      permission: 'write',
      summary: `Update a ${word} limit`,
      params: IdPath,
      body: changes,
      answer: limit,
      errors: ['not_found'],
      run: async (ctx, { params, body }) =>
        presentLimit(await updateLimit(ctx, kind, params.id, body)),
    }),
  ]
}

const ownerNames: Record<Owner, readonly [name: string, words: string]> = {
  cardproducts: ['CardProduct', 'a card product'],
  cards: ['Card', 'a card'],
  users: ['User', 'a user'],
  accounts: ['Account', 'an account'],
}

function links(kind: Kind, owner: Owner): Route[] {
  const { name, word, path, list } = kinds[kind]
  const [title, words] = ownerNames[owner]
  const base = `/${owner}/{id}/${path}`
  return [
    route({
      ...TAG,
      id: `list${title}${name}Limits`,
      method: 'GET',
      path: base,
      description: `Lists the ${word} limits that are linked to ${words}, newest first, in pages.`,
      permission: 'read',
      summary: `List the ${word} limits of ${words}`,
      params: IdPath,
      query: LimitQuery,
      answer: list,
      errors: ['not_found'],
      run: async (ctx, { params, query }) => {
        const page = await listLinkedLimits(ctx, kind, owner, params.id, query)
        return { ...page, data: page.data.map(presentLimit) }
      },
    }),
    route({
      ...TAG,
      id: `link${title}${name}Limits`,
      method: 'POST',
      path: `${base}:link`,
      description:
        `Links ${word} limits to ${words}, at most 20; those that are linked already stay so. ` +
        'The next authorization is decided with them.',
      permission: 'write',
      summary: `Link ${word} limits to ${words}`,
      params: IdPath,
      body: LimitIds,
      answer: LinkedLimits,
      errors: ['not_found', 'limits_reached'],
      run: (ctx, { params, body }) => linkLimits(ctx, kind, owner, params.id, body.ids),
    }),
    route({
      ...TAG,
      id: `unlink${title}${name}Limits`,
      method: 'POST',
      path: `${base}:unlink`,
      description: `Removes links of ${word} limits to ${words}. Limits without a link stay so.`,
      permission: 'write',
      summary: `Unlink ${word} limits from ${words}`,
      params: IdPath,
      body: LimitIds,
      answer: LinkedLimits,
      errors: ['not_found'],
      run: (ctx, { params, body }) => unlinkLimits(ctx, kind, owner, params.id, body.ids),
    }),
  ]
}

const balanceOwners = ['cardproducts', 'users', 'accounts'] as const
const velocityOwners = ['cardproducts', 'cards', 'users', 'accounts'] as const

export const limitRoutes: readonly Route[] = [
  ...definitions('BALANCE'),
  ...balanceOwners.flatMap((owner) => links('BALANCE', owner)),
  ...definitions('VELOCITY'),
  route({
    ...TAG,
    id: 'getAvailableVelocity',
    method: 'GET',
    path: '/velocitylimits/{id}:available',
    description:
      'Answers what the limit leaves to a card: the largest amount of the next transaction, the ' +
      'number of transactions, and when the period ends. Fails with `limit_not_linked` if the ' +
      'limit does not apply to the card.',
    permission: 'read',
    summary: 'Get what a velocity limit leaves',
    params: IdPath,
    query: AvailableQuery,
    answer: Available,
    errors: ['not_found', 'limit_not_linked'],
    run: (ctx, { params, query }) => availableOf(ctx, params.id, query.card_id),
  }),
  ...velocityOwners.flatMap((owner) => links('VELOCITY', owner)),
]
