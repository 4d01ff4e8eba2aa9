import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import type { ControlKind } from './rules.ts'
import { ShadowQuery, ShadowReport } from './schema.ts'
import { shadowReport } from './shadows.ts'

type Reported = { kind: ControlKind; path: string; name: string; what: string; tag: string }

const reported: readonly Reported[] = [
  {
    kind: 'countries',
    path: 'allowedcountries',
    tag: 'Lists',
    name: 'AllowedCountryList',
    what: 'list of countries',
  },
  {
    kind: 'mccs',
    path: 'allowedmccs',
    tag: 'Lists',
    name: 'AllowedMccList',
    what: 'list of MCCs',
  },
  {
    kind: 'merchants',
    path: 'allowedmerchants',
    tag: 'Lists',
    name: 'AllowedMerchantList',
    what: 'list of merchants',
  },
  {
    kind: 'BALANCE',
    path: 'balancelimits',
    tag: 'Limits',
    name: 'BalanceLimit',
    what: 'balance limit',
  },
  {
    kind: 'VELOCITY',
    path: 'velocitylimits',
    tag: 'Limits',
    name: 'VelocityLimit',
    what: 'velocity limit',
  },
]

export const shadowRoutes = reported.map(({ kind, path, name, what, tag }) =>
  route({
    id: `get${name}Shadow`,
    tag,
    method: 'GET',
    path: `/${path}/{id}:shadow`,
    description:
      `Answers what the ${what} would have declined while its mode was SHADOW: sums by code and ` +
      'by day in the tenant’s time zone, and the newest approved transactions. Advices are not ' +
      'counted.',
    permission: 'read',
    summary: `Get shadow report of a ${what}`,
    params: IdPath,
    query: ShadowQuery,
    answer: ShadowReport,
    errors: ['not_found'],
    run: (ctx, { params, query }) => shadowReport(ctx, kind, params.id, query),
  }),
)
