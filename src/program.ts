/** Puts the program together: houses, sweeps and pages on one database. Nothing listens yet. */

import type { FastifyRequest } from 'fastify'
import { Engine } from '#issuing/authorization/authorization.ts'
import { callerOf, NO_TENANT, presentedKey, type Services, tenantContext } from '#kit/callers.ts'
import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/database.ts'
import { type App, createApp, type HttpHouse } from '#kit/http.ts'
import type { Keyring } from '#kit/keyring.ts'
import type { Log } from '#kit/log.ts'
import { problemOf } from '#kit/problems.ts'
import { refusalsOf, routesOf, type Slice, sweepsOf } from '#kit/slice.ts'
import { createSweeper, type Sweeper } from '#kit/sweeper.ts'
import type { Config } from './config.ts'
import { ISSUING_PREFIX, issuingSlices } from './issuing.ts'
import { merchantHouse, merchantOperatorSlice, merchantSlices } from './merchant.ts'

export type Program = {
  app: App
  engine: Engine
  sweeper: Sweeper
  services: Services
  /** Tells the configuration with the ports that were chosen, once the program listens. */
  bind: (bound: Config) => void
}

type Parts = { config: Config; db: Db; keys: Keyring; log: Log }

export function assemble({ config, db, keys, log }: Parts): Program {
  let current = config
  const services: Services = {
    db,
    keys,
    mode: config.mode,
    ring: (bell) => sweeper.ring(bell),
    settle: (tenant_id) => sweeper.settle(tenant_id),
  }
  const merchants = merchantSlices({ config: () => current, log })
  const engine = new Engine(services)
  const issuing = inMode([...issuingSlices(config, engine), merchantOperatorSlice], config)
  const sweeper = createSweeper({
    db,
    log,
    contextOf: (tenant_id) => tenantContext(services, tenant_id, { kind: 'system', id: 'sweep' }),
    sweeps: [...sweepsOf(issuing), ...sweepsOf(merchants)],
  })
  const app = createApp(
    [issuingHouse(issuing, services, config), merchantHouse(merchants, services)],
    log,
  )
  for (const { pages } of [...issuing, ...merchants]) pages?.(app, services)
  const bind = (bound: Config) => {
    current = bound
  }
  return { app, engine, sweeper, services, bind }
}

/** Operations that play the outside world do not exist in live (D-14). */
function inMode(slices: Slice[], { mode }: Config): Slice[] {
  if (mode === 'sandbox') return slices
  return slices.map((slice) => ({
    ...slice,
    routes: (slice.routes ?? []).filter(({ sandbox }) => !sandbox),
  }))
}

export function issuingHouse(slices: Slice[], services: Services, config: Config): HttpHouse {
  return {
    name: 'issuing',
    prefix: ISSUING_PREFIX,
    routes: routesOf(slices),
    refusals: refusalsOf(slices),
    authenticate: ({ headers }: FastifyRequest) => callerOf(services, presentedKey(headers)),
    openContext: (): Context => ({
      ...services,
      tenant_id: NO_TENANT,
      now: new Date(),
      actor: { kind: 'system', id: 'open' },
    }),
    idempotencyHeader: `x-${config.operator_name}-idempotency-key`,
    dress: (fault, request_id) => ({
      content_type: 'application/problem+json; charset=utf-8',
      body: JSON.stringify(problemOf(fault, config.public_url, request_id)),
    }),
  }
}
