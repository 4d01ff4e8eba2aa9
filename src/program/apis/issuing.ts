/** The card platform as a table of its slices. */

import type { FastifyRequest } from 'fastify'
import { openProviders, type Providers } from '#adapters/adapter.ts'
import { callerOf, type KeyCache, knownCallerOf, presentedKey } from '#callers/keys.ts'
import type { Sessions } from '#callers/sessions.ts'
import { accountsSlice } from '#issuing/accounts/slice.ts'
import { auditRecordsSlice } from '#issuing/audit_records/slice.ts'
import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { authorizationSlice } from '#issuing/authorization/slice.ts'
import { backtestsSlice } from '#issuing/backtests/slice.ts'
import { bulkSlice } from '#issuing/bulk/slice.ts'
import { cardOrdersSlice } from '#issuing/card_orders/slice.ts'
import { cardsSlice } from '#issuing/cards/slice.ts'
import type { CodeMailer, Messenger } from '#issuing/challenges/challenges.ts'
import { challengesSlice } from '#issuing/challenges/slice.ts'
import { chargesSlice } from '#issuing/charges/slice.ts'
import { chipsSlice } from '#issuing/chips/slice.ts'
import { clearingsSlice } from '#issuing/clearings/slice.ts'
import { disputesSlice } from '#issuing/disputes/slice.ts'
import { documentsWithFiles, identityDocuments } from '#issuing/identifications/identifications.ts'
import { identificationsSlice } from '#issuing/identifications/slice.ts'
import { ledgerSlice } from '#issuing/ledger/slice.ts'
import { limitsSlice } from '#issuing/limits/slice.ts'
import { listsSlice } from '#issuing/lists/slice.ts'
import { networksSlice } from '#issuing/networks/slice.ts'
import { pinsSlice } from '#issuing/pins/slice.ts'
import { processesSlice } from '#issuing/processes/slice.ts'
import { productsSlice } from '#issuing/products/slice.ts'
import { ratesSlice } from '#issuing/rates/slice.ts'
import { searchSlice } from '#issuing/search/slice.ts'
import { shadowsSlice } from '#issuing/shadows/slice.ts'
import { statisticsSlice } from '#issuing/statistics/slice.ts'
import { stopOrdersSlice } from '#issuing/stop_orders/slice.ts'
import { tenantsSlice } from '#issuing/tenants/slice.ts'
import { tokensSlice } from '#issuing/tokens/slice.ts'
import { transactionsSlice } from '#issuing/transactions/slice.ts'
import { usersSlice } from '#issuing/users/slice.ts'
import { vaultSlice } from '#issuing/vault/slice.ts'
import { verificationSlice } from '#issuing/verification/slice.ts'
import { webhooksSlice } from '#issuing/webhooks/slice.ts'
import { widgetsSlice } from '#issuing/widgets/slice.ts'
import { wireMessagesSlice } from '#issuing/wire_messages/slice.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import { RunningClock } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { EventKind } from '#kit/event.ts'
import { problemOf } from '#kit/http/answers/problems.ts'
import type { ApiModule } from '#kit/http/api_module.ts'
import { CallerCache } from '#kit/http/callers/caller_cache.ts'
import { type Caller, NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import type { LastUses } from '#kit/http/callers/last_uses.ts'
import { IDEMPOTENCY_HEADER, idempotencyHeader } from '#kit/http/idempotency_header.ts'
import type { Log } from '#kit/log.ts'
import { catalogueOfSlices, eventKindsOf, routesOf, type Slice } from '#kit/slice.ts'
import type { Config } from '#src/config/config.ts'
import { openFileStore } from '#src/config/file_store.ts'
import { clearingPlaces } from './clearing_places.ts'

export const ISSUING_PREFIX = '/v1'

type Parts = {
  /** Called when it is needed: ports may be known only once the program listens. */
  config: () => Config
  engine: Authorizer
  /** Null if messages of the card network are not recorded. */
  wire: WireLog | null
  log: Log
  /** The sender of one-time codes, with the mailer that is configured. */
  messengerOf: (mailer?: CodeMailer) => Messenger
  /** Kinds of events that other APIs of the program emit for its tenants. */
  otherEvents: readonly EventKind[]
  /** Simulated providers, used where no adapter is configured. */
  providers: Providers
  /** Slices of the mode, behind those of the API. */
  simulated: readonly Slice[]
}

/** The slices of the issuing API; a slice may use those before it. */
export function issuingSlices(parts: Parts): Slice[] {
  const { config: current, engine, wire, log, otherEvents, providers, simulated } = parts
  const config = current()
  const opened = openProviders(config.adapters, providers)
  const { identity, kyc, kyb, scanner, bureau, mailer, slices = [] } = opened
  const files = { store: openFileStore(config), scanner }
  const emitting = [
    tenantsSlice,
    auditRecordsSlice,
    usersSlice,
    identificationsSlice(files),
    verificationSlice({
      ...(identity && { identity }),
      ...(kyc && { kyc }),
      ...(kyb && { kyb }),
      documentsOf: identityDocuments(files),
      documentsOfUsers: documentsWithFiles(files),
      ongoing: config.screening,
    }),
    vaultSlice,
    listsSlice,
    productsSlice,
    ratesSlice,
    ledgerSlice,
    limitsSlice,
    shadowsSlice,
    accountsSlice,
    chargesSlice,
    cardsSlice,
    stopOrdersSlice,
    pinsSlice,
    cardOrdersSlice({ ...(bureau && { bureau }), log }),
    tokensSlice,
    chipsSlice,
    widgetsSlice({ publicUrl: () => current().public_url, log }),
    bulkSlice,
    transactionsSlice,
    wireMessagesSlice(wire),
    statisticsSlice,
    networksSlice(() => current().networks ?? []),
    authorizationSlice(engine),
    challengesSlice(parts.messengerOf(mailer)),
    disputesSlice(files),
    clearingsSlice(engine, { places: clearingPlaces(config.networks ?? []), log }),
    backtestsSlice(),
  ]
  const names = [...eventKindsOf(emitting), ...otherEvents].map(({ event }) => event)
  return [
    ...emitting,
    webhooksSlice([...new Set(names)]),
    searchSlice,
    processesSlice,
    ...slices,
    ...simulated,
  ]
}

export function issuingModule(
  slices: Slice[],
  services: Services,
  clock: ClockWatch,
  config: () => Config,
  cache: KeyCache = new CallerCache(new RunningClock()),
  { sessions, uses }: { sessions?: Sessions; uses?: LastUses } = {},
): ApiModule {
  const noted = (caller: Caller | undefined) => {
    if (caller && !caller.ctx.member) uses?.note('api_keys', caller.ctx.actor.id)
    return caller
  }
  return {
    name: 'issuing',
    prefix: ISSUING_PREFIX,
    singulars: ['user', 'card'],
    routes: routesOf(slices),
    errors: catalogueOfSlices(slices),
    ...(sessions && { sessions }),
    knownCaller: ({ headers }) => noted(knownCallerOf(services, presentedKey(headers), cache)),
    async authenticate(request: FastifyRequest) {
      if (sessions?.presented(request.headers) !== undefined) return sessions.caller(request)
      const caller = await callerOf(services, presentedKey(request.headers), cache)
      noted(caller)
      return caller
    },
    openContext: (): Context => ({
      ...services,
      tenant_id: NO_TENANT,
      now: clock.now(),
      actor: { kind: 'system', id: 'open' },
    }),
    idempotencyHeaders: [idempotencyHeader(config()), IDEMPOTENCY_HEADER],
    formatError: (fault, request_id) => ({
      content_type: 'application/problem+json; charset=utf-8',
      body: JSON.stringify(problemOf(fault, config().public_url, request_id)),
    }),
  }
}
