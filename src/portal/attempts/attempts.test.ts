/** Guesses of passwords and codes over two processes, and equal work for every one (D-135, D-574). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { metrics } from '#portal/people/metrics.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import {
  giveSecondFactor,
  memberWith,
  openBrowser,
  PASSWORD,
} from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld } from '#test/support/world.ts'
import { waitSeconds } from './rules.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())
const processes = [world, second] as const

let networks = 0
/** An address of its own for each test, or for each request. */
const nextAddress = () => `172.20.${networks >> 8}.${networks++ & 255}`

/** Signs in at one of the two processes. */
const attempt = (at: number, email: string, password: string, from = nextAddress()) =>
  openBrowser(processes[at % 2] ?? world, from).ask('POST', '/portal/v1/sessions', {
    email,
    password,
  })
const someone = () => memberWith(world, 'viewer', world.tenant.id)
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

/** The failures so far are as old as that. */
const age = (minutes: number) =>
  world.db
    .updateTable('sign_in_failures')
    .set({ failed: [new Date(Date.now() - minutes * 60_000)] })
    .execute()

describe('the failures of an account', () => {
  test('are ten over two processes; then even the password is 429, with the time to wait', async () => {
    const { email } = await someone()
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) statuses.push((await attempt(at, email, `guess ${at}`)).status)
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
    const { status, body, headers } = await attempt(1, email, PASSWORD)
    assert.deepEqual([status, body.code], [429, 'rate_limited'])
    const wait = Number(headers['retry-after'])
    assert.ok(wait > 850 && wait <= 900, String(wait))
  })

  test('are ten when all come at once', async () => {
    const { email } = await someone()
    const guesses = Array.from({ length: 30 }, (_, at) => attempt(at, email, `guess ${at}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.deepEqual([countOf(statuses, 401), countOf(statuses, 429)], [10, 20])
  })

  test('of an unknown address are counted alike', async () => {
    const email = `${randomUUID()}@bank.example`
    const guesses = Array.from({ length: 11 }, (_, at) => attempt(at, email, 'guess'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.deepEqual([countOf(statuses, 401), countOf(statuses, 429)], [10, 1])
  })

  test('count for 15 minutes', async () => {
    const { email } = await someone()
    for (let at = 0; at < 10; at++) await attempt(at, email, 'guess')
    assert.equal((await attempt(0, email, PASSWORD)).status, 429)
    await age(16)
    assert.equal((await attempt(0, email, PASSWORD)).status, 201)
  })

  test('are no sign-ins that succeed, which leave the failures before them', async () => {
    const { email } = await someone()
    for (let at = 0; at < 20; at++) assert.equal((await attempt(at, email, PASSWORD)).status, 201)
    for (let at = 0; at < 9; at++) await attempt(at, email, 'guess')
    assert.equal((await attempt(0, email, PASSWORD)).status, 201)
    assert.equal((await attempt(0, email, 'guess')).status, 401)
    assert.equal((await attempt(0, email, PASSWORD)).status, 429)
  })

  test('are those of wrong codes too', async () => {
    const { email, id } = await someone()
    await giveSecondFactor(world, id)
    const { body } = await attempt(0, email, PASSWORD)
    const statuses: number[] = []
    for (let at = 0; at < 12; at++) {
      const code = { challenge: body.challenge, code: String(at).padStart(6, '0') }
      const browser = openBrowser(processes[at % 2] ?? world, nextAddress())
      statuses.push((await browser.ask('POST', '/portal/v1/sessions:verify', code)).status)
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
  })
})

describe('the failures of an address of the network', () => {
  test('are fifty over two processes, whatever accounts they are of', async () => {
    const { email } = await someone()
    const guesses = Array.from({ length: 55 }, (_, at) =>
      attempt(at, `${randomUUID()}@bank.example`, 'guess', '198.51.100.7'),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.deepEqual([countOf(statuses, 401), countOf(statuses, 429)], [50, 5])
    assert.equal((await attempt(0, email, PASSWORD, '198.51.100.7')).status, 429)
    assert.equal((await attempt(0, email, PASSWORD, '198.51.100.8')).status, 201)
  })

  test('are those of a whole network of IPv6', async () => {
    const guesses = Array.from({ length: 51 }, (_, at) =>
      attempt(at, `${randomUUID()}@bank.example`, 'guess', `2001:db8::${at + 1}`),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    assert.equal(countOf(statuses, 429), 1)
  })
})

test('the same statements and one hash are made whether or not the address is known', async () => {
  const { email } = await someone()
  const hashes = async () => (await metrics.passwordHashes.get()).values[0]?.value ?? 0
  using statements = watchStatements(world.url)
  const workFor = async (address: string) => {
    statements.take()
    const before = await hashes()
    assert.equal((await attempt(0, address, 'a wrong password')).status, 401)
    const { texts, round_trips } = statements.take()
    return { texts, round_trips, hashes: (await hashes()) - before }
  }
  const known = await workFor(email)
  const unknown = await workFor(`${randomUUID()}@bank.example`)
  assert.equal(known.hashes, 1)
  assert.deepEqual(unknown, known)
})

test('no row names a person or an address', async () => {
  const { email } = await someone()
  await attempt(0, email, 'guess', '198.51.100.99')
  const rows = await world.db.selectFrom('sign_in_failures').selectAll().execute()
  const text = rows.map(({ subject }) => subject.toString('latin1')).join()
  assert.ok(!text.includes(email) && !text.includes('198.51.100.99'))
})

test('the wait ends when the oldest failure that blocks is 15 minutes old', () => {
  const now = new Date('2026-01-01T12:00:00Z')
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  assert.equal(waitSeconds([ago(900), ago(10), ago(5)], 3, now), 0)
  assert.equal(waitSeconds([ago(890), ago(10), ago(5)], 3, now), 10)
  assert.equal(waitSeconds([ago(891), ago(890), ago(10), ago(5)], 3, now), 10)
})
