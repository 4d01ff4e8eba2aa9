/** A browser of a member: keeps the cookie of its session and says where its pages are from. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Role } from '#callers/roles.ts'
import { newId } from '#lib/id.ts'
import { hashPassword } from '#portal/people/passwords.ts'
import { confirmTotp, startTotp } from '#portal/second_factors/second_factors.ts'
import type { Answer, World } from '../world.ts'
import { codeOf } from './members.ts'

export const PASSWORD = 'seven quiet harbours'
let hashed: Promise<string> | undefined

/** A new address each time. */
export const someEmail = (): string => `${randomUUID()}@bank.example`

export type Browser = {
  /** The value of the cookie; '' before a sign-in. */
  cookie: string
  ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>
}

/** A browser without a session; `from` is its address. */
export function openBrowser(
  { request, origin }: Pick<World, 'request' | 'origin'>,
  from = '10.9.8.7',
): Browser {
  const browser: Browser = {
    cookie: '',
    async ask(method, path, body, headers = {}) {
      const usual = { origin: origin() }
      const cookie = browser.cookie === '' ? {} : { cookie: `bezant_session=${browser.cookie}` }
      const options = { key: null, headers: { ...usual, ...cookie, ...headers }, from }
      const answer = await request(method, path, body, options)
      const set = cookieOf(answer)
      if (set !== undefined) browser.cookie = set
      return answer
    },
  }
  return browser
}

/** The value of the cookie that an answer sets; undefined if it sets none. */
export function cookieOf({ headers }: Answer): string | undefined {
  const [, value] = /bezant_session=([^;]*)/.exec(String(headers['set-cookie'] ?? '')) ?? []
  return value
}

/** A person who has just signed up. */
export async function signUp(world: World) {
  const email = someEmail()
  const browser = openBrowser(world)
  const body = { email, password: PASSWORD, organization: 'Palm Bank' }
  const answer = await browser.ask('POST', '/portal/v1/registrations', body)
  assert.equal(answer.status, 201, answer.text)
  return { ...answer.body, email, browser }
}

/** A member of a tenant, or of the operator's team, who has signed in. */
export async function memberWith(world: World, role: Role, tenant_id: string | null) {
  const email = someEmail()
  const person_id = newId()
  const now = new Date()
  hashed ??= hashPassword(PASSWORD)
  const stamps = { created: now, modified: now }
  const person = { id: person_id, email, email_shown: email, password_hash: await hashed }
  await world.db
    .insertInto('people')
    .values({ ...person, ...stamps })
    .execute()
  const membership = { id: newId(), person_id, tenant_id, role }
  await world.db
    .insertInto('memberships')
    .values({ ...membership, ...stamps })
    .execute()
  const browser = openBrowser(world, `10.77.${person_id.charCodeAt(0)}.${person_id.charCodeAt(35)}`)
  const answer = await browser.ask('POST', '/portal/v1/sessions', { email, password: PASSWORD })
  assert.equal(answer.status, 201, answer.text)
  return { id: person_id, membership_id: membership.id, email, browser }
}

export type BelongingMember = { email: string; cookie: string; challenge: string; code: string }

/** An owner with two sessions, and a challenge of a second person that waits for its code. */
export async function createBelongingMember(
  world: World,
  tenant_id: string,
): Promise<BelongingMember & { other_session: string }> {
  const { email, browser } = await memberWith(world, 'owner', tenant_id)
  const { data } = (await browser.ask('GET', '/portal/v1/sessions')).body
  const other = openBrowser(world)
  await other.ask('POST', '/portal/v1/sessions', { email, password: PASSWORD })
  const guarded = await memberWith(world, 'viewer', tenant_id)
  const { challenge, code } = await createChallenge(world, guarded)
  return { email, cookie: other.cookie, challenge, code, other_session: data[0].id }
}

/** Sets up codes by time for a person; returns their secret and the recovery codes. */
export async function giveSecondFactor(
  world: World,
  person_id: string,
): Promise<{ secret: string; codes: string[] }> {
  const ctx = await world.ctx()
  const { secret } = await startTotp(ctx, person_id, 'Bank')
  const { recovery_codes } = await confirmTotp(ctx, person_id, await codeOf(world, secret))
  return { secret, codes: recovery_codes }
}

/** Gives a member a second factor and begins a sign-in. */
export async function createChallenge(
  world: World,
  { id: person_id, email }: { id: string; email: string },
): Promise<{ challenge: string; code: string }> {
  const { codes } = await giveSecondFactor(world, person_id)
  const [code = ''] = codes
  const body = { email, password: PASSWORD }
  const answer = await openBrowser(world).ask('POST', '/portal/v1/sessions', body)
  assert.equal(answer.status, 202, answer.text)
  return { challenge: answer.body.challenge, code }
}
