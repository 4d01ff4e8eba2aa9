/**
 * One key, one effect: identical POSTs come at once, a third of the clients leave before the
 * answer; every answer is the same to the byte, and a retry gets it again.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createClients, type Message, type Reply } from '#test/support/clients.ts'
import { type Belongings, createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { callerOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { effectOf } from '#test/support/inspection/effects.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { openWorld } from '#test/support/world.ts'

const deep = process.env['TEST_DEEP'] === '1'
/** Keys of each operation, and of the one that moves money by the client's word. */
const KEYS = deep ? 20 : 1
const KEYS_OF_LOADS = deep ? 1_000 : 10
const COPIES = deep ? 16 : 8
const LOADS = 'POST /v1/accounts/{id}:loadfunds'
const PAUSE_MS = 20

// Without the role of the sweeps, nothing but the requests writes.
const keep = keeper()
const world = keep(await openWorld({ env: { ROLES: 'api,network' } }))
keep({ close: () => world.close() })
const { port } = await world.listen()
const clients = keep(createClients(port))

const posts = documentsOf(world.config)
  .flatMap(({ operations }) => operations)
  .filter(({ method }) => method === 'POST')
const keyed = posts.filter(({ idempotencyHeader }) => idempotencyHeader !== undefined)

test('every POST takes a key, but for those that need no credentials', () => {
  const others = posts.filter((operation) => !keyed.includes(operation))
  assert.deepEqual(
    others.filter(({ permission }) => permission !== 'open').map(({ name }) => name),
    [],
  )
})

/** A request under a new key; copies of it are the same request. */
function messageOf(operation: Operation, belongings: Belongings): Message {
  const sample = sampleOf(operation, belongings)
  assert.ok(sample, 'add it to test/support/contract/samples.ts')
  const { key, headers } = callerOf(operation, world, belongings)
  return {
    method: operation.method,
    url: urlOf(operation, sample.params),
    headers: {
      ...headers,
      ...sample.form?.headers,
      ...(key !== null && { apikey: key }),
      [operation.idempotencyHeader ?? '']: randomUUID(),
    },
    body: sample.form?.payload ?? (sample.body && JSON.stringify(sample.body)),
  }
}

/** All at once; every third client leaves. Returns the answers of the others. */
async function sendCopies(message: Message): Promise<Reply[]> {
  const sent = Array.from({ length: COPIES }, (_, at) => {
    if (at % 3 !== 2) return clients.ask(message)
    return clients.askAndLeave(message, at % 2 === 0 ? 'end' : 'reset')
  })
  return (await Promise.all(sent)).filter((reply) => reply !== undefined)
}

/** Asks once more until the key is no longer in use. */
async function finalReply(message: Message): Promise<Reply> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const reply = await clients.ask(message)
    if (reply.status !== 409) return reply
    assert.ok(performance.now() < end, `still in use: ${reply.text}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function assertOneAnswer(message: Message, success: number): Promise<void> {
  const replies = await sendCopies(message)
  const last = await finalReply(message)
  assert.equal(last.status, success, last.text)
  assert.equal(last.headers['idempotent-replayed'], 'true')
  for (const { status, text, headers } of replies) {
    if (status === 409) assert.ok(headers['retry-after'], text)
    else assert.deepEqual({ status, text }, { status: last.status, text: last.text })
  }
}

/**
 * The effect of an action, without the deliveries of its events, which are made after its commit,
 * each once, and without a file that a copy stored before its error: it is unreferenced, and swept.
 */
async function lasting(action: () => Promise<void>) {
  const {
    'public.deliveries': _made,
    'public.loose_blobs': _swept,
    ...effect
  } = await effectOf(world.db, action)
  return effect
}

describe(`${COPIES} copies under one key have one effect`, async () => {
  const shared = await createBelongings(world)
  for (const operation of keyed) {
    const keys = operation.name === LOADS ? KEYS_OF_LOADS : KEYS
    test(`${operation.name}, ${keys} keys`, async () => {
      // Objects of each request: made together, before anything is counted.
      const [first, second, ...others] = await Promise.all(
        Array.from({ length: keys + 2 }, () => belongingsFor(world, operation, shared)),
      )
      assert.ok(first && second)
      const once = (belongings: Belongings) =>
        lasting(async () => {
          const reply = await clients.ask(messageOf(operation, belongings))
          assert.equal(reply.status, operation.success, reply.text)
        })
      // The first of its kind may leave more behind than those that follow it.
      await once(first)
      const expected = await once(second)
      assert.equal(expected['public.idempotency_keys'], 1)
      for (const belongings of others) {
        const message = messageOf(operation, belongings)
        const effect = await lasting(() => assertOneAnswer(message, operation.success))
        assert.deepEqual(effect, expected)
      }
    })
  }
})

test('control: copies without a key are found to have more than one effect', async () => {
  const operation = keyed.find(({ name }) => name === LOADS)
  assert.ok(operation)
  const { headers, ...message } = messageOf(operation, await createBelongings(world))
  const { [operation.idempotencyHeader ?? '']: _key, ...keyless } = headers
  const effect = await effectOf(world.db, async () => {
    await sendCopies({ ...message, headers: keyless })
  })
  assert.ok((effect['public.transfers'] ?? 0) > 1)
})

test('the database is sound, and nothing of this was logged as an error', async () => {
  await assertSound(world.db)
  assert.deepEqual(faultsOfLog(world.logged), [])
})
