/**
 * The database is stopped under clients and a card network (D-131): an unknown
 * outcome is never reported as a failure, and an approval without an answer is reversed.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Chance, chances, SEED } from '#test/support/chances.ts'
import { auditCrowd } from '#test/support/crowd/audit.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { type Acquirer, connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { openStoppable } from '#test/support/processes/stoppable.ts'

const deep = process.env['TEST_DEEP'] === '1'
const [STOPS, STOPPED_MS] = deep ? [5, 12_000] : [3, 3_000]
/** The load between two stops. */
const BETWEEN_MS = 2_000
const [CLIENTS, TERMINALS] = [16, 64]
/** The card network gives an answer up after this. */
const PATIENCE_MS = 7_000
const REVERSED_MS = 30_000
const POLL_MS = 100
/** A network that receives 91 does not send again at once. */
const REFUSED_PAUSE_MS = 50

const keep = keeper()
const server = await openStoppable()
// It drops the server.
const platform = keep(await openKillable(server))
const crowd = await gatherCrowd(platform, { cards: 8, own_cards: 8, orders: deep ? 200 : 60 })

type Sent = { rrn: string; mti: string; de39: string | undefined }
const sent: Sent[] = []

/** A terminal that authorizes and withdraws, one message after another, until it is stopped. */
async function work(network: Acquirer, pans: readonly string[], chance: Chance, on: () => boolean) {
  while (on()) {
    const pan = pans[Math.floor(chance() * pans.length)] ?? ''
    const mti = chance() < 0.7 ? '0100' : '0200'
    const message = sale({ pan, mti, amount: BigInt(1 + Math.floor(chance() * 100)) })
    const answer = await network.send(message).catch(() => undefined)
    const de39 = answer?.fields[39]
    sent.push({ rrn: message.fields[37] ?? '', mti, de39 })
    if (de39 !== '00') await pass(REFUSED_PAUSE_MS)
  }
}

type Effect = { rrn: string; status: string }

/** The effects of the messages: approved, and not taken back. */
async function effects(): Promise<Map<string, string>> {
  const { rows } = await sql<Effect>`
    select rrn, status from transactions
    where status in ('PENDING', 'SETTLED') and rrn = any (${sent.map(({ rrn }) => rrn)})
  `.execute(platform.db)
  return new Map(rows.map(({ rrn, status }) => [rrn, status]))
}

async function unreversed(): Promise<Sent[]> {
  const left = await effects()
  return sent.filter(({ rrn, de39 }) => de39 !== '00' && left.has(rrn))
}

async function untilReversed(): Promise<Sent[]> {
  const end = performance.now() + REVERSED_MS
  for (;;) {
    const left = await unreversed()
    if (left.length === 0 || performance.now() > end) return left
    await pass(POLL_MS)
  }
}

describe(`stopped ${STOPS} times for ${STOPPED_MS} ms (SEED=${SEED})`, () => {
  test('no outcome is reported that is not so', async (t) => {
    const network = await connectAcquirer({
      port: Number(platform.env['NETWORK_PORT']),
      patience: PATIENCE_MS,
    })
    network.answerEchoes()
    await network.signOn()
    const cards = await Promise.all(
      crowd.stock.cards.map(({ id }) => crowd.made('GET', `/v1/cards/${id}:reveal`)),
    )
    const pans = cards.map(({ card_number }) => card_number)
    let on = true
    const clients = crowd.work(CLIENTS, (client) => chances(SEED + client + 1))
    const terminals = Array.from({ length: TERMINALS }, (_, at) =>
      work(network, pans, chances(SEED + 1_000 + at), () => on),
    )
    for (let stop = 0; stop < STOPS; stop += 1) {
      // The moment of a stop and its length are matters of time.
      await pass(BETWEEN_MS)
      server.freeze()
      await pass(STOPPED_MS)
      server.thaw()
    }
    await pass(BETWEEN_MS)
    on = false
    await Promise.all([clients.stop(), ...terminals])
    await untilQuiet(platform.db)

    const failed = sent.filter(({ de39 }) => de39 === '91' || de39 === '96')
    const unanswered = sent.filter(({ de39 }) => de39 === undefined)
    t.diagnostic(
      `${sent.length} messages, ${failed.length} answered 91 or 96, ${unanswered.length} not ` +
        `answered; ${crowd.requests} requests, ${crowd.cut} times cut`,
    )
    assert.deepEqual(await untilReversed(), [], 'not answered as approved, and in effect')
    const left = await effects()
    const approved = sent.filter(({ de39 }) => de39 === '00')
    assert.deepEqual(
      approved.filter(({ rrn }) => !left.has(rrn)),
      [],
      'answered as approved, and without effect',
    )
    assert.ok(approved.length > 0 && failed.length + unanswered.length > 0, 'the stops hit nothing')
    assert.deepEqual(await auditCrowd(platform.db, crowd), [])
    await assertSound(platform.db)
    await network.close()
  })
})
