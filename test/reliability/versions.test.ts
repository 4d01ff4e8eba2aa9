/**
 * An answer of the API holds for every authorization whose commit begins after it (D-402): changes
 * by the API race with a stream of authorizations of the same card.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '#issuing/authorization/authorization.ts'
import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import { textArray } from '#kit/db/arrays.ts'
import { chances, SEED } from '#test/support/chances.ts'
import type { TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { type Revocable, revocations } from '#test/support/revocations.ts'
import { openWorld } from '#test/support/world.ts'

/** Races of each kind of change, in one process and in two. */
const RACES = process.env['TEST_DEEP'] ? 420 : 4
/** Subjects of one kind that race at the same time. */
const AT_ONCE = 4
/** Messages before the answer of a change, at most, and turns of the event loop between two. */
const UNDER_WAY = 16
const TURNS_MAX = 30
/** The change begins after so many answers, at most. */
const ANSWERED_MAX = 4

const SETTINGS = { pci_compliant: true, card_verification_max_tries: 0 }

const world = await openWorld()
const second = openSecondEngine(world)
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const chance = chances(SEED)

type Race = {
  tenant_id: string
  /** Whether the change has happened. */
  revoked: boolean
  /** Every transaction that wrote before then has a lower id. */
  next_xid: string
  /** The transactions that were committed when the answer had come. */
  snapshot: string
  under_way: TestMessage[]
  approved: number
  /** Approvals of the requests that were submitted after the answer. */
  approved_later: number
}

async function race(
  tenant_id: string,
  { message, revoke }: Revocable,
  engines: readonly Engine[],
): Promise<Race> {
  const engineOf = (at: number) => engines[at % engines.length] ?? world.engine
  const ask = (request: TestMessage, at: number) => engineOf(at).submit(tenant_id, { request })
  let isOver = false
  let answered = 0
  const under_way: TestMessage[] = []
  const answers: Promise<AuthorizationAnswer>[] = []
  const stream = async () => {
    while (!isOver && under_way.length < UNDER_WAY) {
      const request = message()
      under_way.push(request)
      answers.push(ask(request, under_way.length).finally(() => (answered += 1)))
      for (let left = chance() * TURNS_MAX; left > 0; left -= 1) await turn()
    }
  }
  const streaming = stream()
  for (const least = Math.floor(chance() * (ANSWERED_MAX + 1)); answered < least; ) await turn()
  const revoked = await revoke()
  isOver = true
  const later = Promise.all(engines.map((_, at) => ask(message(), at)))
  const { rows } = await sql<{ snapshot: string; next_xid: string }>`
    select pg_current_snapshot()::text as snapshot, pg_current_xact_id()::text as next_xid`.execute(
    world.db,
  )
  await streaming
  const approved = approvedOf(await Promise.all(answers))
  const approved_later = approvedOf(await later)
  const [{ snapshot, next_xid } = { snapshot: '', next_xid: '' }] = rows
  return { tenant_id, revoked, snapshot, next_xid, under_way, approved, approved_later }
}

const approvedOf = (answers: readonly AuthorizationAnswer[]): number =>
  answers.filter(({ approved }) => approved).length
/** Answers how many approvals were being written when the answer came, where that may be. */
async function assertHonoured(race: Race, may_have_begun: boolean) {
  if (!race.revoked) return 0
  assert.equal(race.approved_later, 0, 'submitted after the answer')
  const { rows } = await sql<{ begun: boolean }>`
    select xmin::text::xid8 < ${race.next_xid}::xid8 as begun from transactions
    where tenant_id = ${race.tenant_id} and rrn = any (${textArray(referencesOf(race))}::text[])
      and status <> 'DECLINED'
      and not pg_visible_in_snapshot(xmin::text::xid8, ${race.snapshot}::pg_snapshot)`.execute(
    world.db,
  )
  assert.ok(
    rows.every(({ begun }) => begun && may_have_begun),
    'begun after the answer',
  )
  return rows.length
}

const referencesOf = ({ under_way }: Race) => under_way.flatMap(({ rrn }) => rrn ?? [])

/** So many times the rounds are made until an authorization is approved in one. */
const LONGEST = 20

/**
 * These are compared in the last statement before COMMIT and not locked: an authorization that is
 * being written then had begun before the answer. All others raise the version of the account,
 * which orders both.
 */
const COMPARED = new Set([
  'a card suspended, and verified for 0.00',
  'a setting of a card product',
  'a setting of the tenant',
  'a list of a card',
  'a list of a card product',
])

const settings = { 'one process': [world.engine], 'two processes': [world.engine, second.engine] }

describe(`authorizations and, ${RACES} times in one process and in two,`, () => {
  for (const [kind, make] of Object.entries(revocations)) {
    test(`${kind}: none is approved that begins after the answer`, async (t) => {
      const issuer = await openIssuer(world, await world.otherTenant(SETTINGS))
      const subjects = await Promise.all(Array.from({ length: AT_ONCE }, () => make(world, issuer)))
      for (const [setting, engines] of Object.entries(settings)) {
        let [approved, begun] = [0, 0]
        // On a slow machine a revocation may be first in all of them.
        const isEnough = (round: number) => round >= (approved > 0 ? RACES : LONGEST * RACES)
        for (let round = 0; !isEnough(round); round += AT_ONCE) {
          const races = await Promise.all(
            subjects.map((one) => race(one.tenant_id ?? issuer.tenant.id, one, engines)),
          )
          for (const one of races) {
            approved += one.approved
            begun += await assertHonoured(one, COMPARED.has(kind))
          }
          await Promise.all(subjects.map(({ restore }) => restore()))
        }
        assert.ok(approved > 0, 'the races were never open')
        const late = `${begun} were being written when the answer came`
        t.diagnostic(`${setting}: ${approved} approved, ${late}`)
      }
    })
  }

  test('the books are right after it', () => assertSound(world.db))
})
