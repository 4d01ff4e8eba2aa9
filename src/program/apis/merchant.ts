/** The order service as a table of its slices. */

import type { FastifyRequest } from 'fastify'
import type { Sessions } from '#callers/sessions.ts'
import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { ApiModule } from '#kit/http/api_module.ts'
import { type Caller, NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import { IDEMPOTENCY_HEADER } from '#kit/http/idempotency_header.ts'
import type { Log } from '#kit/log.ts'
import { catalogueOfSlices, eventKindsOf, routesOf, type Slice } from '#kit/slice.ts'
import type { IssuerLink, TakeIn, TakenBack } from '#merchant/acquirer/acquirer.ts'
import { acquirerSlice } from '#merchant/acquirer/slice.ts'
import type { EvidenceStore } from '#merchant/chargebacks/chargebacks.ts'
import { chargebackOperatorSlice, chargebacksSlice } from '#merchant/chargebacks/slice.ts'
import {
  type Authenticator,
  paymentTakenBack,
  type TestCards,
} from '#merchant/checkouts/checkouts.ts'
import { checkoutsSlice } from '#merchant/checkouts/slice.ts'
import type { WebhookServices } from '#merchant/endpoints/endpoints.ts'
import { endpointsSlice } from '#merchant/endpoints/slice.ts'
import { formatError, withIndent } from '#merchant/error_format.ts'
import { keptCardsSlice } from '#merchant/kept_cards/slice.ts'
import {
  authenticateMerchant,
  type BearerCache,
  merchantOfMember,
} from '#merchant/merchants/merchants.ts'
import { merchantOperatorSlice, merchantsSlice } from '#merchant/merchants/slice.ts'
import { openOrder, operationTakenBack, orderIdOf } from '#merchant/orders/orders.ts'
import { ordersSlice } from '#merchant/orders/slice.ts'
import { payoutOperatorSlice, payoutsSlice } from '#merchant/payouts/slice.ts'
import { leaveOutNothings } from '#merchant/shop_bodies.ts'
import type { Config } from '#src/config/config.ts'

export type { BearerCache }

/** The operator's operations on merchants, mounted with the other operator routes (D-100). */
export const merchantOperatorSlices = (issuers: () => readonly string[]): Slice[] => [
  merchantOperatorSlice(issuers),
  chargebackOperatorSlice,
  payoutOperatorSlice,
]

export const MERCHANT_PREFIX = '/api/v1.0'

type Parts = {
  /** Called when it is needed: ports may be known only once the program listens. */
  config: () => Config
  /** The connections to the issuers. */
  link: IssuerLink
  /** Takes a clearing file of the own acquirer in, as its issuer. */
  takeIn: TakeIn
  log: Log
  /** Keeps the files of shops. */
  evidence: EvidenceStore
  /** Keeps the endpoints of merchants and sends to them. */
  webhooks: WebhookServices
  testCards?: TestCards
  authenticator?: Authenticator
}

/** The slices of the merchant API; a slice may use those before it. */
export function merchantSlices({
  config,
  link,
  takeIn,
  log,
  evidence,
  webhooks,
  ...sandbox
}: Parts): Slice[] {
  const api = {
    link,
    publicUrl: () => config().public_url,
    onPaid: openOrder,
    orderIdOf,
    ...sandbox,
  }
  // A message belongs either to a payment or to an operation.
  const onTakenBack: TakenBack = async (tx, message_id) => {
    await paymentTakenBack(tx, message_id)
    await operationTakenBack(tx, message_id)
  }
  const emitting = [
    merchantsSlice,
    acquirerSlice(link, { onTakenBack, takeIn }),
    keptCardsSlice,
    checkoutsSlice({ api, log }),
    ordersSlice(link),
    chargebacksSlice(evidence),
    payoutsSlice,
  ]
  const kinds = eventKindsOf(emitting).filter(({ to_merchant }) => to_merchant)
  const names = kinds.map(({ event }) => event)
  return [...emitting, endpointsSlice(webhooks, names)]
}

/** Members who call with their sessions name their merchant in this header (D-577). */
type Members = { sessions: Sessions; merchantHeader: string; idempotencyAlias: string }

/** A member acts for the one merchant of the tenant, or for the one that the request names. */
async function withMerchant(
  caller: Caller,
  { headers }: FastifyRequest,
  merchantHeader: string,
): Promise<Caller> {
  if (caller.ctx.member === undefined) return caller
  const named = headers[merchantHeader]
  const id = await merchantOfMember(caller.ctx, {
    header: merchantHeader,
    named: named?.toString(),
  })
  return { ...caller, ctx: { ...caller.ctx, actor: { kind: 'merchant', id } } }
}

export function merchantModule(
  slices: Slice[],
  services: Services,
  clock: ClockWatch,
  cache: BearerCache,
  { sessions, merchantHeader, idempotencyAlias }: Members,
): ApiModule {
  return {
    name: 'merchant',
    prefix: MERCHANT_PREFIX,
    routes: routesOf(slices),
    errors: catalogueOfSlices(slices),
    sessions,
    authenticate: (request) =>
      sessions.presented(request.headers) === undefined
        ? authenticateMerchant(services, request.headers.authorization, cache)
        : sessions.caller(request),
    completeCaller: (caller, request) => withMerchant(caller, request, merchantHeader),
    signsTokens: true,
    openContext: () => ({
      ...services,
      tenant_id: NO_TENANT,
      now: clock.now(),
      actor: { kind: 'system', id: 'open' },
    }),
    idempotencyHeaders: [IDEMPOTENCY_HEADER, idempotencyAlias],
    formatError,
    keepsNulls: true,
    keysOfCallers: true,
    ignoresBodies: true,
    readsShortest: true,
    mendBody: leaveOutNothings,
    layOut: ({ headers }, body) => withIndent(headers.accept, body),
  }
}
