/** Each house as its OpenAPI document tells of it: served at /docs, and kept in docs/openapi. */

import { Type } from 'typebox'
import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { type DocumentedHouse, openapiOf, Problem } from '#kit/openapi.ts'
import { kitRefusals } from '#kit/problems.ts'
import { refusalsOf, routesOf, type Slice } from '#kit/slice.ts'
import type { Config } from './config.ts'
import { ISSUING_PREFIX, issuingSlices } from './issuing.ts'
import { MERCHANT_PREFIX, merchantSlices } from './merchant.ts'

/** The version of both contracts; it rises with what a client can see. */
const API_VERSION = '1.0.0'

/** Here routes are only read, never run. */
const noEngine: Authorizer = {
  submit: () => Promise.reject(new Error('documents authorize nothing')),
}

export const issuingDocument = (config: Config) => openapiOf(issuingContract(config))
export const merchantDocument = (config: Config) => openapiOf(merchantContract(config))

/** The card platform's contract: its routes in this mode, and how its errors look (D-9). */
export function issuingContract(config: Config): DocumentedHouse {
  return {
    ...contractOf(issuingSlices(config, noEngine), config),
    document: {
      title: 'Bezant issuing API',
      description: 'Users, card products, cards, accounts, authorizations and webhooks.',
      version: API_VERSION,
      server: ISSUING_PREFIX,
    },
    errorOf: () => ({ content_type: 'application/problem+json', schema: Problem }),
    securitySchemes: {
      apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
      bearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
    },
    idempotencyHeader: `x-${config.operator_name}-idempotency-key`,
  }
}

/** The order service's contract; its errors are plainer (D-88). */
export function merchantContract(config: Config): DocumentedHouse {
  return {
    ...contractOf(merchantSlices(config), config),
    document: {
      title: 'Bezant order API',
      description: 'Checkouts, orders, capture and refund for merchants.',
      version: API_VERSION,
      server: MERCHANT_PREFIX,
    },
    errorOf: (status) => ({
      content_type: 'application/json',
      schema: status === 400 ? FieldErrors : Detail,
    }),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    idempotencyHeader: 'idempotency-key',
  }
}

/** Codes that are never thrown by name: unreadable JSON, and what nobody foresaw. */
const notDeclared = { body_invalid: 400, internal: 500 }

/** Operations that play the outside world do not exist in live (D-14). */
function contractOf(slices: readonly Slice[], { mode }: Config) {
  return {
    routes: routesOf(slices).filter(({ sandbox }) => mode === 'sandbox' || !sandbox),
    refusals: { ...kitRefusals, ...notDeclared, ...refusalsOf(slices) },
  }
}

/** Field → messages, nested as the request is; what no field is to blame for stands in detail. */
const FieldErrors = Type.Object({}, { title: 'FieldErrors', additionalProperties: true })
const Detail = Type.Object({ detail: Type.String() }, { title: 'Detail' })
