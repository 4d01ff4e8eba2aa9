/** People of the portal: their sessions, the codes of their apps, and the mails that they get. */

import assert from 'node:assert/strict'
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { cookieName } from '#callers/cookies.ts'
import { databaseNow, databaseNowPlus, readClock } from '#kit/clock.ts'
import type { Answer, World } from '../world.ts'

export type TestPerson = { id: string; email: string; membership_id: string }

type Options = { tenant_id?: string | null; role?: string; password_hash?: string }

/** A member of the world's tenant, or of the operator's team. */
export async function insertPerson(
  { db, tenant }: Pick<World, 'db' | 'tenant'>,
  { tenant_id = tenant.id, role = 'owner', password_hash }: Options = {},
): Promise<TestPerson> {
  const [id, membership_id] = [randomUUID(), randomUUID()]
  const email = `${id}@shop.example`
  const times = { created: databaseNow, modified: databaseNow }
  const person = { id, email, email_shown: email, password_hash: password_hash ?? null }
  await db
    .insertInto('people')
    .values({ ...person, ...times })
    .execute()
  const membership = { id: membership_id, person_id: id, tenant_id, role, ...times }
  await db.insertInto('memberships').values(membership).execute()
  return { id, email, membership_id }
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** A browser at the pages of the program, which comes with this cookie. */
export function browserOf(world: World, cookie?: string): Call {
  const { origin } = new URL(world.config.public_url)
  const headers = { origin, ...(cookie !== undefined && { cookie }) }
  return (method, path, body) => world.request(method, path, body, { key: null, headers })
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = [headers['set-cookie'] ?? ''].flat().map((one) => String(one).split(';')[0])
  assert.match(cookie, /bezant_session=[\w-]{43}$/)
  return cookie
}

/** The member's browser, with a session that exists. */
export async function browse(
  world: World,
  { membership_id }: Pick<TestPerson, 'membership_id'>,
): Promise<Call> {
  const token = randomBytes(32).toString('base64url')
  await world.db
    .insertInto('portal_sessions')
    .values({
      id: randomUUID(),
      token_hash: hash('sha256', token, 'buffer'),
      membership_id,
      created: databaseNow,
      last_used: databaseNow,
      expires: databaseNowPlus(3_600_000),
      user_agent: 'test',
      address: '127.0.0.1',
    })
    .execute()
  return browserOf(world, `${cookieName(world.config.public_url.startsWith('https'))}=${token}`)
}

/** The mails that were kept for an address, newest first. */
export async function mailsTo(world: World, email: string) {
  const path = `/v1/operator/mails?to=${encodeURIComponent(email)}`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  return body.data as { subject: string; text: string; html: string }[]
}

/** The token of the link in the newest mail to an address. */
export async function mailedToken(world: World, email: string): Promise<string> {
  const [mail] = await mailsTo(world, email)
  return tokenIn(mail?.text ?? '')
}

export const tokenIn = (text: string): string => /\?token=([\w-]{43})\b/.exec(text)?.[1] ?? ''

/** The code of an app that has the secret, so many steps from the present one. */
export async function codeOf(
  { db }: Pick<World, 'db'>,
  secret: string,
  steps = 0,
): Promise<string> {
  const timestamp = (await readClock(db)).getTime() + steps * 30_000
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp })
}
