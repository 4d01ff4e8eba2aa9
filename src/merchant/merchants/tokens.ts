/** The token of D-80: a signed JWT that names a key pair. It is valid only while the pair is. */

import { createHash } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { permittedToKey } from '#callers/permitted.ts'
import type { CallerCache } from '#kit/http/callers/caller_cache.ts'
import type { Caller, Services } from '#kit/http/callers/callers.ts'
import { hasChecksum, isSameBytes } from '#lib/digest.ts'
import { isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import type { Credentials } from './schema.ts'
import { type Bearer, findBearer, findClaimant } from './store.ts'

/** One for all tokens: they have no other permission. */
const PERMITTED = permittedToKey(new Set(['merchant'] as const))

const ALGORITHM = 'HS256'
const TYPE = 'merchant+jwt'
const ISSUER = 'order-service'
const AUDIENCE = 'order-api'
/** Issued tokens are far shorter; longer text is rejected unread. */
const TOKEN_MAX = 2048
/** Some 600 bytes each. */
const VERIFIED_MAX = 10_000

type Claims = { key_id: string; expires: number }

/**
 * The claims of tokens whose signature this process has verified, by the key of the signature and
 * the token: shops send one token with many requests, and to verify it is work for another thread.
 * Whether it has expired or its key pair is revoked is asked each time.
 */
const verified = new Map<string, Claims>()

export function hashOfPrivateKey(private_key: string): Buffer {
  return createHash('sha256').update(private_key).digest()
}

/** The merchants of tokens that this process knows. */
export type BearerCache = CallerCache<Bearer>

/** A token for the pair. Fails with `unauthenticated` for every fault alike. */
export async function issueToken(services: Services, credentials: Credentials): Promise<string> {
  const wellFormed = hasChecksum(credentials.public_key) && hasChecksum(credentials.private_key)
  const db = services.db.overAllTenants()
  const claimant = wellFormed ? await findClaimant(db, credentials.public_key) : undefined
  const hash = hashOfPrivateKey(credentials.private_key)
  if (!claimant || !isSameBytes(hash, claimant.private_key_hash)) {
    throw new ApiError('unauthenticated')
  }
  const now = Math.floor(claimant.now.getTime() / 1000)
  return new SignJWT({})
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claimant.key_id)
    .setIssuedAt(now)
    .setExpirationTime(now + claimant.token_minutes * 60)
    .sign(signingKey(services))
}

/**
 * The merchant of a request's Authorization header, and its rate. Fails with `unauthenticated` for
 * every fault of the token, its key or its merchant alike.
 */
export async function authenticateMerchant(
  services: Services,
  authorization: string | undefined,
  cache: BearerCache,
): Promise<Caller> {
  const { key_id, expires } = await verify(services, /^Bearer +(\S+)$/i.exec(authorization ?? ''))
  const bucket = bucketOf(key_id)
  const { db } = services
  const found = await cache.take(bucket, (portion) => findBearer(db, key_id, bucket, portion))
  if (!found) throw new ApiError('unauthenticated')
  const { row: bearer, now, rate } = found
  if (now.getTime() >= expires * 1000) throw new ApiError('unauthenticated')
  const { tenant_id, merchant_id } = bearer
  return {
    ctx: {
      ...services,
      db: services.db.forTenant(tenant_id),
      tenant_id,
      now,
      actor: { kind: 'merchant', id: merchant_id },
    },
    rate,
    ...PERMITTED,
  }
}

/** The claims of a signed token. Its expiry is checked later, by the tenant's clock. */
async function verify(services: Services, match: RegExpExecArray | null): Promise<Claims> {
  const token = match?.[1]
  if (token === undefined || token.length > TOKEN_MAX) throw new ApiError('unauthenticated')
  const key = signingKey(services)
  const name = `${key.toString('base64')} ${token}`
  const known = verified.get(name)
  if (known) return known
  const claims = await claimsOf(token, key)
  if (verified.size >= VERIFIED_MAX) verified.clear()
  verified.set(name, claims)
  return claims
}

async function claimsOf(token: string, key: Buffer): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(0),
    })
    const { sub = '', exp = 0 } = payload
    if (isId(sub)) return { key_id: sub, expires: exp }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw new ApiError('unauthenticated')
}

const signingKey = ({ keys }: Services): Buffer => keys.digest('tokens', 'merchant tokens')

/** The buckets of both APIs are in one table; the prefix distinguishes them. */
const bucketOf = (key_id: string): Buffer =>
  createHash('sha256').update(`merchant key ${key_id}`).digest()
