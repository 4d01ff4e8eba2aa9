/** The session of a member as a caller (D-133, D-136, D-137), in place of an API key. */

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { databaseNow, databaseNowPlus, RunningClock } from '#kit/clock.ts'
import type { Context, Member } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { takeTokens } from '#kit/http/callers/buckets.ts'
import {
  type BucketState,
  CallerCache,
  type KnownCaller,
  type Portion,
} from '#kit/http/callers/caller_cache.ts'
import { type Caller, NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import type { LastUses } from '#kit/http/callers/last_uses.ts'
import { assertOwnOrigin } from '#kit/http/callers/origins.ts'
import type { Route } from '#kit/http/route.ts'
import { isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { cookieIn, cookieName, hashSessionToken, isSessionToken, setCookie } from './cookies.ts'
import { bucketSettings, presentedKey } from './keys.ts'
import { permittedToMember } from './permitted.ts'
import { type Role, roleLacks } from './roles.ts'

/** A session that is not used ends after so long. */
const IDLE_MS = 12 * 60 * 60 * 1000

/**
 * A page shows the objects of one member, while the cookie is the browser's: with this header a
 * request is only that member's, also after another one has signed in (D-971).
 */
const MEMBER_HEADER = 'x-session-member'

/** Whether the session with the alias `s` still counts. */
export const isLiveSession = sql<boolean>`s.expires > ${databaseNow}
  and s.last_used > ${databaseNowPlus(-IDLE_MS)}`

/** The parts of the deployment that sessions depend on. */
export type SessionSettings = {
  is_https: boolean
  /** The program's origins, as a browser writes them in the header Origin. */
  origins: readonly string[]
  /** The header with which a member of the operator's team names a tenant (D-576). */
  tenantHeader: string
  /** The headers of idempotency keys. */
  keyHeaders: readonly string[]
}

type Row = BucketState & {
  id: string
  person_id: string
  membership_id: string
  /** Null for the operator's team. */
  member_of: string | null
  /** The tenant that the request is about; null if it is about none. */
  tenant_id: string | null
  role: Role
  expires: Date
  lacks_second_factor: boolean
}

type Parts = {
  services: Services
  /** Called when it is needed: ports may be known only once the program listens. */
  settings: () => SessionSettings
  uses: LastUses
}

/** The sessions that this process knows. */
export class Sessions {
  readonly #parts: Parts
  readonly #cache = new CallerCache<Row>(new RunningClock())

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Forgets all sessions: the next request of each is looked up again. */
  drop(): void {
    this.#cache.drop()
  }

  /** The value of the cookie. A request that presents a key is looked at without its cookies. */
  presented(headers: IncomingHttpHeaders): string | undefined {
    if (headers['apikey'] !== undefined || presentedKey(headers) !== undefined) return undefined
    return cookieIn(headers.cookie, cookieName(this.#parts.settings().is_https))
  }

  /** The header Set-Cookie with the token; without one it removes the cookie. */
  cookie(token: string | undefined): string {
    return setCookie(this.#parts.settings().is_https, token)
  }

  /** Throws `origin_refused` for a request that another site may have caused (D-136). */
  assertOrigin(request: FastifyRequest, { receive }: Pick<Route, 'receive'>): void {
    if (this.presented(request.headers) === undefined) return
    const { origins, keyHeaders } = this.#parts.settings()
    assertOwnOrigin(request, origins, { isUpload: receive !== undefined, keyHeaders })
  }

  /**
   * The member of the session and one token of its rate bucket. Throws `unauthenticated` for a
   * malformed, unknown or ended session alike, and for one of another member than the request
   * names; `validation_failed` on the header if a member of the operator's team names no tenant
   * that exists, and `permission_missing` if a member of a tenant names one.
   */
  async caller({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Caller> {
    const token = this.presented(headers)
    if (token === undefined || !isSessionToken(token)) throw new ApiError('unauthenticated')
    const { services, settings, uses } = this.#parts
    const named = tenantNamed(headers[settings().tenantHeader])
    const token_hash = hashSessionToken(token)
    const { db } = services
    const place = named === undefined ? token_hash : Buffer.from(`${token} ${named}`)
    const session = { token_hash, named, required: services.profile.second_factor }
    const found = await this.#cache.take(place, (portion) => findSession(db, session, portion))
    if (!found) throw new ApiError('unauthenticated')
    const { row } = found
    const expected = headers[MEMBER_HEADER]
    if (expected !== undefined && expected !== row.person_id) {
      throw new ApiError('unauthenticated')
    }
    uses.note('portal_sessions', row.id)
    if (named !== undefined && row.member_of !== null) throw roleLacks(row.role)
    if (named !== undefined && row.tenant_id === null) {
      throw invalid(settings().tenantHeader, 'is not a tenant')
    }
    return callerFrom(services, found)
  }
}

/** The id of the tenant; a value that is no id names no tenant. */
function tenantNamed(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  return typeof header === 'string' && isId(header) ? header.toLowerCase() : NO_TENANT
}

/**
 * The capacity in which the member acts is the actor, so use cases know members like the keys that
 * they stand for; the person is the member.
 */
function callerFrom(services: Services, { row, now, rate }: KnownCaller<Row>): Caller {
  const { tenant_id, member_of, role, person_id, membership_id, expires } = row
  const { lacks_second_factor } = row
  const { db } = services
  const member: Member = {
    id: person_id,
    membership_id,
    session_id: row.id,
    tenant_id: member_of,
    role,
    expires,
    lacks_second_factor,
  }
  const ctx: Context = {
    ...services,
    db: tenant_id === null ? db.forOperator() : db.forTenant(tenant_id),
    tenant_id: tenant_id ?? NO_TENANT,
    now,
    actor: { kind: member_of === null ? 'operator' : 'client', id: person_id },
    member,
  }
  return { ctx, rate, ...permittedToMember(member) }
}

/**
 * Whether person `p` with membership `m` lacks one. The operator's team has no settings of a
 * tenant.
 */
const lacksSecondFactor = (required: boolean) => sql<boolean>`
  p.totp_last_step is null and not exists (select from passkeys k where k.person_id = p.id)
  and coalesce(case when m.tenant_id is not null
    then (t.settings ->> 'second_factor_required')::boolean end, ${required}::boolean)`

type Sought = {
  token_hash: Buffer
  /** The tenant that the request names. */
  named: string | undefined
  /** Whether a second factor is required if the member's tenant does not say (D-140). */
  required: boolean
}

function findSession(
  db: Db,
  { token_hash, named, required }: Sought,
  portion: Portion,
): Promise<Row | undefined> {
  const caller = sql`
    select s.id, s.expires, m.id as membership_id, m.person_id, m.tenant_id as member_of,
      t.id as tenant_id, m.role, ${lacksSecondFactor(required)} as lacks_second_factor,
      ${bucketSettings(sql`m.tenant_id`)}
    from portal_sessions s join memberships m on m.id = s.membership_id
    join people p on p.id = m.person_id
    left join tenants t on t.id = coalesce(m.tenant_id, ${named ?? null}::uuid)
    where s.token_hash = ${token_hash} and ${isLiveSession}`
  return takeTokens(db, caller, token_hash, portion)
}
