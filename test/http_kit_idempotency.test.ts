/** Idempotency keys (D-10, D-115): at most one effect per key, and the same bytes again. */

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { holdKey, KEY_LIFETIME_MS, keepAnswer } from '#kit/http/idempotency.ts'
import { sha256Hex } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { openEdge } from './support/edge.ts'
import { keeper } from './support/keeper.ts'
import { type Answer, openWorld } from './support/world.ts'

const HEADER = 'x-bezant-idempotency-key'
const RACERS = 16

const keep = keeper()
const world = keep(await openWorld())
const edge = keep(await openEdge(world))

let key = ''
beforeEach(() => {
  key = newId()
})

type Post = { path?: string; body?: object; api_key?: string; key?: string }
const post = ({ path = '/v1/notes', body, api_key, key: sent = key }: Post = {}) =>
  edge.request('POST', path, body ?? { text: key }, {
    headers: { [HEADER]: sent },
    ...(api_key !== undefined && { key: api_key }),
  })
const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

async function age(milliseconds: number): Promise<void> {
  await world.db
    .updateTable('idempotency_keys')
    .set({ created: new Date(Date.now() - milliseconds) })
    .where('key', '=', key)
    .execute()
}

describe('Idempotency-Key', () => {
  const ALIAS = 'idempotency-key'
  const send = (headers: Record<string, string>) =>
    edge.request('POST', '/v1/notes', { text: key }, { headers })

  test('is an alias of the header of the operator: one key by either', async () => {
    const first = await send({ [ALIAS]: key })
    const others = [
      await send({ [ALIAS]: key }),
      await send({ [HEADER]: key }),
      await send({ [ALIAS]: key, [HEADER]: key }),
    ]
    assert.equal(first.status, 200)
    assert.ok(others.every(isReplay))
    assert.equal(await edge.effects(key), 1)
  })

  test('is 400 where the two headers have two keys, and where one is empty', async () => {
    const wrong = [
      { [ALIAS]: key, [HEADER]: newId() },
      { [ALIAS]: key, [HEADER]: '' },
      { [ALIAS]: '', [HEADER]: key },
      { [ALIAS]: '' },
      { [HEADER]: '' },
    ]
    for (const headers of wrong) {
      const { status, body } = await send(headers)
      assert.deepEqual([status, body.code], [400, 'validation_failed'], JSON.stringify(headers))
    }
    assert.equal(await edge.effects(key), 0)
  })
})

describe('the same request under the same key', () => {
  test('has one effect and the same bytes as answer, marked as a replay', async () => {
    const [first, second] = [await post(), await post()]
    assert.equal(first.status, 200)
    assert.equal(isReplay(first), false)
    assert.equal(isReplay(second), true)
    assert.equal(second.text, first.text)
    assert.equal(second.headers['content-type'], first.headers['content-type'])
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
    assert.equal(await edge.effects(key), 1)
  })

  test('is the same however its members are ordered and written', async () => {
    const send = (text: string) =>
      edge.request('POST', '/v1/notes', text, {
        headers: { [HEADER]: key, 'content-type': 'application/json' },
      })
    await send(`{"text":"${key}","count":1,"tags":["a","b"]}`)
    assert.equal(
      isReplay(await send(`{ "tags": ["a", "b"], "count": 1.0, "text": "${key}" }`)),
      true,
    )
    assert.equal(
      isReplay(await send(`{"count":2,"text":"${key}","count":1,"tags":["a","b"]}`)),
      true,
    )
    const other = await send(`{"text":"${key}","count":1,"tags":["b","a"]}`)
    assert.equal(other.body.code, 'idempotency_key_reused')
    assert.equal(await edge.effects(key), 1)
  })

  test('is the same under another spelling of its path', async () => {
    await post()
    assert.equal(isReplay(await post({ path: '/v1/notes/' })), true)
    assert.equal(await edge.effects(key), 1)
  })

  test(`sent ${RACERS} times at once has one effect; the others do not wait`, async () => {
    const answers = await Promise.all(Array.from({ length: RACERS }, () => post()))
    assert.equal(await edge.effects(key), 1)
    const full = answers.filter(({ status }) => status === 200)
    assert.ok(full.length >= 1)
    assert.equal(new Set(full.map(({ text }) => text)).size, 1)
    for (const { body, headers } of answers.filter(({ status }) => status !== 200)) {
      assert.equal(body.code, 'idempotency_key_in_use')
      assert.equal(headers['retry-after'], '1')
    }
    assert.equal((await post()).text, full[0]?.text)
  })

  test('while the first still runs is 409 with retry-after, then the answer of the first', async () => {
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    edge.during.effect = () => {
      started.resolve()
      return released.promise
    }
    const first = post()
    await started.promise
    edge.during.effect = async () => {}
    const second = await post()
    released.resolve()
    assert.equal(second.status, 409)
    assert.equal(second.body.code, 'idempotency_key_in_use')
    const { text } = await first
    assert.equal((await post()).text, text)
    assert.equal(await edge.effects(key), 1)
  })
})

describe('another request under the same key', () => {
  const others: [name: string, request: () => Post][] = [
    ['another body', () => ({ body: { text: key, count: 1 } })],
    ['another path', () => ({ path: '/v1/other' })],
  ]
  for (const [name, request] of others) {
    test(`with ${name} is 409 and has no effect`, async () => {
      await post()
      const answer = await post(request())
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'idempotency_key_reused')
      assert.equal(await edge.effects(key), 1)
    })
  }

  test('of another tenant is its own request', async () => {
    const { api_key } = await world.otherTenant()
    const [mine, theirs] = [await post(), await post({ api_key })]
    assert.equal(theirs.status, 200)
    assert.equal(isReplay(theirs), false)
    assert.notEqual(theirs.body.id, mine.body.id)
    assert.equal(await edge.effects(key), 2)
  })
})

describe('the key itself', () => {
  for (const length of [1, 255]) {
    test(`may have ${length} printable characters`, async () => {
      const given = '~'.repeat(length)
      assert.equal((await post({ key: given, body: { text: key } })).status, 200)
      assert.equal(isReplay(await post({ key: given, body: { text: key } })), true)
    })
  }

  const bad = { 'no characters': '', '256 characters': 'x'.repeat(256), 'an umlaut': 'schlüssel' }
  for (const [name, given] of Object.entries(bad)) {
    test(`with ${name} is 400 on the header, and there is no effect`, async () => {
      const answer = await post({ key: given, body: { text: key } })
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].path, HEADER)
      assert.equal(await edge.effects(key), 0)
    })
  }

  test('left out makes every request its own', async () => {
    const send = () => edge.request('POST', '/v1/notes', { text: key })
    await send()
    assert.equal(isReplay(await send()), false)
    assert.equal(await edge.effects(key), 2)
  })

  test('holds after 23 hours 59 minutes and is forgotten after 24 hours 1 minute', async () => {
    const first = await post()
    await age(KEY_LIFETIME_MS - 60_000)
    assert.equal((await post()).text, first.text)
    await age(KEY_LIFETIME_MS + 60_000)
    const later = await post()
    assert.equal(isReplay(later), false)
    assert.notEqual(later.body.id, first.body.id)
    assert.equal((await post()).text, later.text)
    assert.equal(await edge.effects(key), 2)
  })

  test('forgotten may be used for another request', async () => {
    await post()
    await age(KEY_LIFETIME_MS + 60_000)
    assert.equal((await post({ body: { text: key, count: 2 } })).status, 200)
  })
})

describe('a request that failed', () => {
  test('for the state of an object is stored: the same error again, and no effect', async () => {
    for (const [refuse, status] of [
      ['note_refused', 409],
      ['note_absent', 404],
    ] as const) {
      key = newId()
      const body = { text: key, refuse }
      const [first, second] = [await post({ body }), await post({ body })]
      assert.equal(first.status, status)
      assert.equal(isReplay(second), true)
      assert.equal(second.text, first.text)
      assert.equal(await edge.effects(key), 0)
    }
  })

  test('with a committed error keeps its effect, once, with a key or without', async () => {
    const body = { text: key, refuse: 'note_counted' }
    const [first, second] = [await post({ body }), await post({ body })]
    assert.deepEqual([first.status, isReplay(second), second.text], [409, true, first.text])
    assert.equal(await edge.effects(key), 1)
    assert.equal((await edge.request('POST', '/v1/notes', body)).status, 409)
    assert.equal(await edge.effects(key), 2)
  })

  test('by validation is not kept: the key is free for the right request', async () => {
    assert.equal((await post({ body: { text: 1 } })).status, 400)
    assert.equal((await post({ body: { text: key, refuse: 'validation_failed' } })).status, 400)
    assert.equal((await post()).status, 200)
    assert.equal(await edge.effects(key), 1)
  })

  test('for want of permission is not kept', async () => {
    assert.equal((await post({ api_key: world.operator_key })).status, 403)
    assert.equal((await post()).status, 200)
  })

  test('by a failure is not kept: nothing happened, and the next try does it', async () => {
    edge.during.effect = async () => {
      throw new Error('planted')
    }
    const failed = await post()
    edge.during.effect = async () => {}
    assert.equal(failed.status, 500)
    assert.equal(await edge.effects(key), 0)
    const again = await post()
    assert.equal(again.status, 200)
    assert.equal(isReplay(again), false)
    assert.equal(await edge.effects(key), 1)
  })

  test('by a statement that failed leaves the key free', async () => {
    edge.during.effect = async () => {
      await world.db.selectFrom('tenants').select('id').where('id', '=', 'no uuid').execute()
    }
    const failed = await post()
    edge.during.effect = async () => {}
    assert.equal(failed.status, 500)
    assert.equal((await post()).status, 200)
  })
})

test('100 keys, each sent by 4 at once: one effect each and one answer each', async () => {
  const keys = Array.from({ length: 100 }, () => newId())
  const text = newId()
  await Promise.all(
    keys.map(async (each) => {
      const send = () => post({ key: each, body: { text } })
      const full = new Set<string>()
      // 400 at once may find no connection in time (503): clients repeat the request then.
      for (let turn = 0; turn < 10 && full.size === 0; turn += 1) {
        const answers = await Promise.all([send(), send(), send(), send()])
        for (const { status, text: body } of answers) if (status === 200) full.add(body)
      }
      assert.equal(full.size, 1)
    }),
  )
  assert.equal(await edge.effects(text), keys.length)
})

test('a key that a request holds takes its answer, once, and nothing of another request', async () => {
  const of = (fingerprint: string) => ({ key, fingerprint: Buffer.from(fingerprint) })
  const answer = { status: 200, content_type: 'application/json', body: '{}' }
  const ctx = await world.ctx()
  const hold = (fingerprint: string) =>
    transact(ctx, async (tx) => tx.withCommit(holdKey(tx, of(fingerprint))))
  const store = (fingerprint: string) =>
    transact(ctx, (tx) => keepAnswer(tx, of(fingerprint), answer))
  const inUse = { code: 'idempotency_key_in_use' }

  await hold('own')
  await assert.rejects(hold('other'), inUse)
  await assert.rejects(store('other'), inUse)
  await store('own')
  await assert.rejects(store('own'), inUse)
  await assert.rejects(hold('own'), inUse)
})

test('of the request a keyed digest is stored, which cannot be found by trying', async () => {
  await post()
  const { fingerprint } = await world.db
    .selectFrom('idempotency_keys')
    .select('fingerprint')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const sent = `POST /v1/notes\n${JSON.stringify({ text: key })}`
  for (const text of [sent, `request ${sent}`]) {
    assert.notEqual(fingerprint.toString('hex'), sha256Hex(text))
  }
})
