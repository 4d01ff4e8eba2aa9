import { type Static, Type } from 'typebox'
import { Currency, Field, Instant, ListOf, ListQuery, Strict, Uuid } from '#kit/http/schema.ts'

/** Rates of one request. */
const RATES_MAX = 500

const from = Field('ISO 4217 currency that is converted.', Currency)
const to = Field('ISO 4217 currency that it is converted to.', Currency)

/** A decimal of up to 12 digits on each side of the point: text, or a number that has such text. */
const RateInput = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', minLength: 1, maxLength: 25 },
  ],
})

export const RateChange = Strict({
  from,
  to,
  rate: Field(
    'Major units of `to` that one major unit of `from` is worth: a positive decimal of up to 12 ' +
      'digits before and 12 after the point, as text or as a number.',
    RateInput,
  ),
})
export type RateChange = Static<typeof RateChange>

export const RatesChange = Strict({
  tenant_id: Type.Optional(
    Field(
      'Tenant whose rates these are. Without it they are the rates of every tenant that has no ' +
        'own rate of the two currencies.',
      Uuid,
    ),
  ),
  rates: Type.Array(RateChange, {
    minItems: 1,
    maxItems: RATES_MAX,
    description: 'Rates to set; all others stay as they are.',
  }),
})
export type RatesChange = Static<typeof RatesChange>

export const Rate = Type.Object(
  {
    id: Field('Id of the rate.', Uuid),
    tenant_id: Type.Optional(Field('Tenant whose rate it is; absent for all tenants.', Uuid)),
    from,
    to,
    rate: Type.String({ description: 'Major units of `to` for one of `from`, as decimal text.' }),
    created: Field('From when the rate is in force.', Instant),
    replaced: Type.Optional(Field('When another rate took its place.', Instant)),
  },
  { title: 'Rate' },
)
export type Rate = Static<typeof Rate>

export const Rates = Type.Object(
  { rates: Type.Array(Rate, { description: 'The rates that were set, in the order sent.' }) },
  { title: 'Rates' },
)

export const RateQuery = ListQuery({
  tenant_id: Type.Optional(Field('Lists only own rates of this tenant.', Uuid)),
  from: Type.Optional(Field('Lists only rates from this currency.', Currency)),
  to: Type.Optional(Field('Lists only rates to this currency.', Currency)),
  history: Type.Optional(
    Type.Boolean({ description: 'Lists replaced rates as well; default false.' }),
  ),
})
export const RateList = ListOf(Rate)
