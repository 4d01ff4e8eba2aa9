import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath, ListOf } from '#kit/http/schema.ts'
import {
  createCountryList,
  createMccList,
  createMerchantList,
  findList,
  listLists,
  updateCountryList,
  updateMccList,
  updateMerchantList,
} from './lists.ts'
import {
  AllowedListQuery,
  CountryList,
  CountryListChanges,
  MccList,
  MccListChanges,
  MerchantList,
  MerchantListChanges,
  NewCountryList,
  NewMccList,
  NewMerchantList,
} from './schema.ts'
import type { ListRow } from './store.ts'

const presentCountries = (row: ListRow<'countries'>) => ({ ...row, country_codes: row.entries })
const presentMccs = (row: ListRow<'mccs'>) => ({ ...row, mccs: row.entries })
const presentMerchants = (row: ListRow<'merchants'>) => ({ ...row, merchants: row.entries })

export const listRoutes = [
  route({
    id: 'createAllowedCountryList',
    tag: 'Lists',
    description:
      'Creates a list of countries that card products and cards may name. With `allow` true only ' +
      'payments in its countries pass, none if it is empty; with `allow` false they are ' +
      'declined: 1860 where the card product names the list, 1880 where the card does. Refunds, ' +
      'deposits and other credits are not checked. A list is not deleted.',
    method: 'POST',
    path: '/allowedcountries',
    permission: 'write',
    summary: 'Create a list of countries',
    body: NewCountryList,
    answer: CountryList,
    errors: ['id_taken'],
    run: async (ctx, { body }) => presentCountries(await createCountryList(ctx, body)),
  }),
  route({
    id: 'listAllowedCountryLists',
    tag: 'Lists',
    description: 'Lists the lists of countries of the tenant, newest first, in pages.',
    method: 'GET',
    path: '/allowedcountries',
    permission: 'read',
    summary: 'List the lists of countries',
    query: AllowedListQuery,
    answer: ListOf(CountryList),
    run: async (ctx, { query }) => {
      const page = await listLists(ctx, 'countries', query)
      return { ...page, data: page.data.map(presentCountries) }
    },
  }),
  route({
    id: 'getAllowedCountryList',
    tag: 'Lists',
    description: 'Answers one list of countries.',
    method: 'GET',
    path: '/allowedcountries/{id}',
    permission: 'read',
    summary: 'Get a list of countries',
    params: IdPath,
    answer: CountryList,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'allowed_lists', params.id),
    run: async (ctx, { params }) => presentCountries(await findList(ctx, 'countries', params.id)),
  }),
  route({
    id: 'updateAllowedCountryList',
    tag: 'Lists',
    description:
      'Changes the members that are sent; the array that is sent replaces the stored one. The ' +
      'change applies to every authorization decided after it.',
    method: 'PUT',
    path: '/allowedcountries/{id}',
    permission: 'write',
    summary: 'Update a list of countries',
    params: IdPath,
    body: CountryListChanges,
    answer: CountryList,
    errors: ['not_found'],
    run: async (ctx, { params, body }) =>
      presentCountries(await updateCountryList(ctx, params.id, body)),
  }),
  route({
    id: 'createAllowedMccList',
    tag: 'Lists',
    description:
      'Creates a list of merchant category codes that card products and cards may name. With ' +
      '`allow` true only payments under its codes pass, none if it is empty; with `allow` ' +
      'false they are declined: 1859 where the card product names the list, 1879 where the card ' +
      'does. Refunds, deposits and other credits are not checked. A list is not deleted.',
    method: 'POST',
    path: '/allowedmccs',
    permission: 'write',
    summary: 'Create a list of MCCs',
    body: NewMccList,
    answer: MccList,
    errors: ['id_taken'],
    run: async (ctx, { body }) => presentMccs(await createMccList(ctx, body)),
  }),
  route({
    id: 'listAllowedMccLists',
    tag: 'Lists',
    description: 'Lists the lists of MCCs of the tenant, newest first, in pages.',
    method: 'GET',
    path: '/allowedmccs',
    permission: 'read',
    summary: 'List the lists of MCCs',
    query: AllowedListQuery,
    answer: ListOf(MccList),
    run: async (ctx, { query }) => {
      const page = await listLists(ctx, 'mccs', query)
      return { ...page, data: page.data.map(presentMccs) }
    },
  }),
  route({
    id: 'getAllowedMccList',
    tag: 'Lists',
    description: 'Answers one list of MCCs.',
    method: 'GET',
    path: '/allowedmccs/{id}',
    permission: 'read',
    summary: 'Get a list of MCCs',
    params: IdPath,
    answer: MccList,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'allowed_lists', params.id),
    run: async (ctx, { params }) => presentMccs(await findList(ctx, 'mccs', params.id)),
  }),
  route({
    id: 'updateAllowedMccList',
    tag: 'Lists',
    description:
      'Changes the members that are sent; the array that is sent replaces the stored one. The ' +
      'change applies to every authorization decided after it.',
    method: 'PUT',
    path: '/allowedmccs/{id}',
    permission: 'write',
    summary: 'Update a list of MCCs',
    params: IdPath,
    body: MccListChanges,
    answer: MccList,
    errors: ['not_found'],
    run: async (ctx, { params, body }) => presentMccs(await updateMccList(ctx, params.id, body)),
  }),
  route({
    id: 'createAllowedMerchantList',
    tag: 'Lists',
    description:
      'Creates a list of merchants that card products and cards may name. If one of them has ' +
      '`allow` true, only such merchants pass; those with `allow` false are declined (1019). The ' +
      'list of the card is used before that of the card product: if it names the merchant, ' +
      'the list of the product is not used. An empty list checks nothing. Refunds, deposits and ' +
      'other credits are not checked. A list is not deleted.',
    method: 'POST',
    path: '/allowedmerchants',
    permission: 'write',
    summary: 'Create a list of merchants',
    body: NewMerchantList,
    answer: MerchantList,
    errors: ['id_taken'],
    run: async (ctx, { body }) => presentMerchants(await createMerchantList(ctx, body)),
  }),
  route({
    id: 'listAllowedMerchantLists',
    tag: 'Lists',
    description: 'Lists the lists of merchants of the tenant, newest first, in pages.',
    method: 'GET',
    path: '/allowedmerchants',
    permission: 'read',
    summary: 'List the lists of merchants',
    query: AllowedListQuery,
    answer: ListOf(MerchantList),
    run: async (ctx, { query }) => {
      const page = await listLists(ctx, 'merchants', query)
      return { ...page, data: page.data.map(presentMerchants) }
    },
  }),
  route({
    id: 'getAllowedMerchantList',
    tag: 'Lists',
    description: 'Answers one list of merchants.',
    method: 'GET',
    path: '/allowedmerchants/{id}',
    permission: 'read',
    summary: 'Get a list of merchants',
    params: IdPath,
    answer: MerchantList,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'allowed_lists', params.id),
    run: async (ctx, { params }) => presentMerchants(await findList(ctx, 'merchants', params.id)),
  }),
  route({
    id: 'updateAllowedMerchantList',
    tag: 'Lists',
    description:
      'Changes the members that are sent; the array that is sent replaces the stored one. The ' +
      'change applies to every authorization decided after it.',
    method: 'PUT',
    path: '/allowedmerchants/{id}',
    permission: 'write',
    summary: 'Update a list of merchants',
    params: IdPath,
    body: MerchantListChanges,
    answer: MerchantList,
    errors: ['not_found'],
    run: async (ctx, { params, body }) =>
      presentMerchants(await updateMerchantList(ctx, params.id, body)),
  }),
]
