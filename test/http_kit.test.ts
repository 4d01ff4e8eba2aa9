/** The HTTP edge before a real database: D-1 to D-9, D-12 and D-14. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { hashApiKey, makeApiKey } from '#callers/api_keys.ts'
import { openDatabase } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { openEdge } from './support/edge.ts'
import { keeper } from './support/keeper.ts'
import { type Answer, openWorld, requester } from './support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const edge = keep(await openEdge(world))

/** Asserts that the answer is a problem document with that status and code (D-9). */
function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
  const { type, title, detail, request_id } = answer.body
  assert.equal(answer.body.status, status)
  assert.equal(answer.body.code, code)
  assert.equal(type, `${world.config.public_url}/docs/errors#${code}`)
  assert.ok(title.length > 0 && detail.endsWith('.'))
  assert.equal(answer.headers['x-request-id'], request_id)
}

const paths = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path)
const post = (body: unknown, headers = {}) => edge.request('POST', '/v1/notes', body, { headers })
const raw = (body: string | Buffer, type = 'application/json') =>
  post(body, { 'content-type': type })

describe('validation', () => {
  test('returns every fault of the request, each once and by its path', async () => {
    const answer = await post({ text: '', count: 'x', tags: ['short', 'too long'], other: 1 })
    assertProblem(answer, 400, 'validation_failed')
    assert.deepEqual(paths(answer).sort(), ['count', 'other', 'tags.1', 'text'])
  })

  test('names a missing member and an unknown query parameter', async () => {
    assert.deepEqual(paths(await post({})), ['text'])
    const answer = await edge.request('GET', '/v1/notes?nothing=1')
    assertProblem(answer, 400, 'validation_failed')
    assert.deepEqual(paths(answer), ['nothing'])
  })

  test('a body that is absent, empty or no object is 400', async () => {
    for (const body of [undefined, [], '"text"', 'null', '1', '']) {
      const answer = await edge.request('POST', '/v1/notes', body, {
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(answer.status, 400, JSON.stringify(body))
    }
  })

  test('an operation without a body rejects members by name, and accepts an empty body', async () => {
    const webhook = { endpoint: 'http://127.0.0.1:9/unused', events: ['TRANSACTION'] }
    const { body: made } = await world.request('POST', '/v1/webhooks', webhook)
    for (const [method, path] of [
      ['POST', `/v1/webhooks/${made.id}:ping`],
      ['DELETE', `/v1/webhooks/${made.id}`],
    ] as const) {
      const answer = await world.request(method, path, { id: made.id, force: true })
      assertProblem(answer, 400, 'validation_failed')
      assert.deepEqual(paths(answer).sort(), ['force', 'id'])
      assert.equal((await world.request(method, path, {})).status, 200)
    }
  })

  test('a limit that is no whole number of 1 to 200 is 400, a doubled parameter too', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=-1', 'limit=x', 'limit=1e9', 'limit=']) {
      assertProblem(await edge.request('GET', `/v1/notes?${query}`), 400, 'validation_failed')
    }
    assert.equal((await edge.request('GET', '/v1/notes?limit=1&limit=2')).status, 400)
    for (const limit of ['1e1', '0x10', '%2010', '10%20', '+10', '%2B10', '10.0', '1_0']) {
      const answer = await edge.request('GET', `/v1/notes?limit=${limit}`)
      assertProblem(answer, 400, 'validation_failed')
      const message = 'must be of type integer'
      assert.deepEqual(answer.body.errors, [{ path: 'limit', message }], limit)
    }
    assert.equal((await edge.request('GET', '/v1/notes?limit=10')).body.limit, 10)
    assert.equal((await edge.request('GET', '/v1/notes')).body.limit, 50)
  })

  test('an id that is no UUID is 400 on `id`', async () => {
    const answer = await edge.request('PUT', '/v1/notes/x:doIt')
    assertProblem(answer, 400, 'validation_failed')
    assert.deepEqual(paths(answer), ['id'])
  })
})

describe('JSON that is not to be trusted', () => {
  const bad: [name: string, body: string | Buffer][] = [
    ['broken syntax', '{"text":'],
    ['a trailing comma', '{"text":"a",}'],
    ['a byte order mark', '\ufeff{"text":"a"}'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an escaped U+0000 in a name', '{"te\\u0000xt":"a"}'],
    ['nesting of 100,000', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects nested 33 deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
    ['100,000 members', `{${Array.from({ length: 100_000 }, (_, at) => `"${at}":1`)}}`],
    ['100,000 items', `{"tags":[${Array(100_000).fill(1)}]}`],
    ['__proto__', '{"text":"a","__proto__":{"count":1}}'],
    ['an escaped __proto__', '{"text":"a","\\u005f_proto__":{"count":1}}'],
  ]
  for (const [name, body] of bad) {
    test(`400 body_invalid for ${name}, in bounded time`, async () => {
      // The time is the process's, not the clock's: the machine may do other things.
      const since = process.cpuUsage()
      assertProblem(await raw(body), 400, 'body_invalid')
      const { user, system } = process.cpuUsage(since)
      assert.ok(user + system < 1_000_000)
    })
  }

  const changed: [name: string, numeral: string][] = [
    ['a number that vanishes', '1e-400'],
    ['a numeral of 16 digits', '9007199254740993'],
    ['30 decimals', `0.${'1'.repeat(30)}`],
  ]
  for (const [name, numeral] of changed) {
    test(`400 names the member that holds ${name}, beside every other fault`, async () => {
      const answer = await raw(`{"text":"a","count":${numeral},"lines":[{"price":${numeral}}]}`)
      assertProblem(answer, 400, 'validation_failed')
      assert.deepEqual(paths(answer).sort(), ['count', 'lines', 'lines.0.price'])
    })
  }

  const unstorable: [name: string, value: string][] = [
    ['an escaped U+0000', '"a\\u0000b"'],
    ['a lone surrogate', '"\\ud800"'],
    ['a number past the doubles', '1e400'],
  ]
  for (const [name, value] of unstorable) {
    test(`400 names the member that holds ${name}, beside every other fault`, async () => {
      const answer = await raw(`{"text":${value},"count":"x","lines":[{"price":${value}}]}`)
      assertProblem(answer, 400, 'validation_failed')
      assert.deepEqual(paths(answer).sort(), ['count', 'lines', 'lines.0.price', 'text'])
    })
  }

  test('400 for constructor.prototype, and no object is polluted', async () => {
    const answer = await raw('{"text":"a","constructor":{"prototype":{"polluted":1}}}')
    assertProblem(answer, 400, 'validation_failed')
    assert.equal('polluted' in {}, false)
  })

  test('of a member written twice the last counts', async () => {
    assert.equal((await raw('{"text":"first","text":"last"}')).body.text, 'last')
  })

  test('text of any script comes back as it was sent', async () => {
    for (const text of ['نص', '👩‍👩‍👧', 'e\u0301', '\u202eabc', '"\\/\b\n']) {
      assert.equal((await post({ text })).body.text, text)
    }
  })

  test('413 past the limit of a body', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    assertProblem(await raw(large), 413, 'too_large')
  })
})

describe('content types', () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json;charset="iso-8859-1"',
    'nonsense',
  ]) {
    test(`415 for ${type}`, async () => {
      assertProblem(await raw('{"text":"a"}', type), 415, 'content_type_unsupported')
    })
  }

  test('415 for a compressed body', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    assertProblem(await post('{"text":"a"}', headers), 415, 'content_type_unsupported')
  })

  test('UTF-8 may be named, in any case', async () => {
    for (const type of ['application/json; charset=UTF-8', 'Application/JSON;charset="utf-8"']) {
      assert.equal((await raw('{"text":"a"}', type)).status, 200)
    }
  })
})

describe('paths and methods', () => {
  const id = newId()

  test('a verb is known in any case, with a closing slash, and with its colon escaped', async () => {
    for (const verb of [':doIt', ':doit', ':DOIT', ':doIt/', '%3AdoIt', '%3adoit']) {
      const answer = await edge.request('PUT', `/v1/notes/${id}${verb}`)
      assert.equal(answer.status, 200, verb)
      assert.equal(answer.body.id, id)
    }
  })

  test('404 for unknown paths and verbs, word for word the same', async () => {
    const known = await edge.request('GET', '/v1/nothing')
    assertProblem(known, 404, 'not_found')
    assert.match(known.body.detail, /^No operation has this path: \/docs /)
    const unknown = [
      '/v1',
      '/v1/',
      '/v1/notes/x/y',
      `/v1/notes/${id}:undo`,
      '//v1/notes',
      '/nothing',
      '/',
      '/v1/%2e%2e/notes',
      '/V1/notes',
    ]
    for (const path of unknown) {
      const answer = await edge.request('GET', path)
      assertProblem(answer, 404, 'not_found')
      assert.deepEqual({ ...answer.body, request_id: 0 }, { ...known.body, request_id: 0 }, path)
    }
  })

  test('404, not 405 with the method used, for a segment that no route takes', async () => {
    for (const id of ['abc%2fdef', 'abc%2Fdef', 'a%3Ab', '%zz', 'x'.repeat(301)]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, headers } = await world.request(method, `/v1/users/${id}`)
        const allowed = String(headers['allow'] ?? '').split(', ')
        assert.ok(status >= 400 && status < 500, `${method} ${id}: ${status}`)
        assert.ok(status !== 405 || !allowed.includes(method), `${method} ${id}: ${allowed}`)
      }
    }
    assert.equal((await world.request('GET', '/v1/users/abc%2fdef')).status, 404)
  })

  test('405 names the methods that the path knows', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']) {
      const answer = await edge.request(method, '/v1/notes')
      assert.equal(answer.status, 405, method)
      assert.deepEqual(String(answer.headers['allow']).split(', ').sort(), ['GET', 'POST'])
    }
    const verb = await edge.request('POST', `/v1/notes/${id}:doit`, {})
    assertProblem(verb, 405, 'method_not_allowed')
    assert.equal(verb.headers['allow'], 'PUT')
  })

  test('400 for a path that cannot be decoded', async () => {
    assertProblem(await edge.request('GET', '/v1/notes/%E0%A4%A'), 400, 'bad_request')
  })

  test('414 for an endless part of a path', async () => {
    const path = `/v1/notes/${'x'.repeat(400)}:doIt`
    assertProblem(await edge.request('PUT', path), 414, 'path_too_long')
  })

  test('a method cannot be smuggled in by a header', async () => {
    const headers = { 'x-http-method-override': 'PUT' }
    const answer = await edge.request('POST', `/v1/notes/${id}:doIt`, {}, { headers })
    assert.equal(answer.status, 405)
  })
})

describe('authentication and permission', () => {
  const asking = (headers: Record<string, string>) =>
    edge.request('GET', '/v1/notes', undefined, { key: null, headers })

  test('a key is taken from apikey and from Authorization, as Bearer or apikey', async () => {
    const key = world.tenant.api_key
    for (const headers of [
      { apikey: key },
      { authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key}` },
      { authorization: `apikey ${key}` },
      { authorization: `ApiKey ${key}` },
    ]) {
      assert.equal((await asking(headers)).status, 200, JSON.stringify(headers))
    }
  })

  test('401 is the same for no key, a mistyped, an unknown and a revoked one', async () => {
    const key = world.tenant.api_key
    const { api_key: revoked } = await world.otherTenant()
    await world.db
      .updateTable('api_keys')
      .set({ revoked: new Date() })
      .where('key_hash', '=', hashApiKey(revoked))
      .execute()
    const rejected = [
      {},
      { apikey: '' },
      { apikey: key.slice(0, -1) },
      { apikey: `${key} x` },
      { apikey: `${key}, ${key}` },
      { apikey: makeApiKey().key },
      { apikey: revoked },
      { apikey: 'x'.repeat(10_000) },
      { authorization: key },
      { authorization: `Basic ${Buffer.from(key).toString('base64')}` },
      { authorization: 'Bearer' },
      { 'x-api-key': key },
    ]
    for (const headers of rejected) {
      const answer = await asking(headers)
      assertProblem(answer, 401, 'unauthenticated')
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
      assert.equal(answer.body.detail, 'The API key is missing or not valid.')
      assert.equal(answer.headers['ratelimit-limit'], undefined)
    }
  })

  test('401 for a key in the query string', async () => {
    const path = `/v1/notes?apikey=${world.tenant.api_key}`
    const answer = await edge.request('GET', path, undefined, { key: null })
    assertProblem(answer, 401, 'unauthenticated')
  })

  test('401 precedes every fault of the body', async () => {
    const answer = await edge.request('POST', '/v1/notes', { wrong: 1 }, { key: null })
    assertProblem(answer, 401, 'unauthenticated')
  })

  test('403 names the permission that the key lacks, or whose key is needed', async () => {
    const answer = await edge.request('POST', '/v1/notes', {}, { key: world.operator_key })
    assertProblem(answer, 403, 'permission_missing')
    assert.equal(answer.body.permission, 'write')
    assert.equal(answer.body.detail, 'This operation needs the API key of a tenant.')
    const other = await world.request('GET', '/v1/operator/tenants')
    assertProblem(other, 403, 'permission_missing')
    assert.equal(other.body.permission, 'operator')
    assert.equal(other.body.detail, "This operation needs the operator's key.")
  })
})

describe('failures', () => {
  test('an error has the status that its slice declares', async () => {
    assertProblem(await post({ text: 'a', refuse: 'note_refused' }), 409, 'note_refused')
    assertProblem(await post({ text: 'a', refuse: 'note_absent' }), 404, 'note_absent')
  })

  test('a 500 contains only the request id, which is in the log with the cause', async () => {
    edge.during.effect = async () => {
      throw new Error('column "pan" of relation "cards" does not exist')
    }
    const answer = await post({ text: 'a' }).finally(() => {
      edge.during.effect = async () => {}
    })
    assertProblem(answer, 500, 'internal')
    assert.ok(!answer.text.includes('relation'))
    const line = world.logged.find((text) => text.includes(answer.body.request_id))
    assert.match(line ?? '', /relation/)
  })

  test('an undeclared error is a 500 without its code', async () => {
    const answer = await post({ text: 'a', refuse: 'constructor' })
    assertProblem(answer, 500, 'internal')
  })

  test('503 with retry-after while the database is away', async () => {
    const away = openDatabase('postgresql://nobody@127.0.0.1:1/none', 2)
    const { config, log } = world
    const { app } = assemble({
      mode: sandbox,
      config,
      log,
      db: away.db,
      batches: away.batches,
      keys: world.services.keys,
    })
    try {
      const request = requester(app, world.tenant.api_key)
      const answer = await request('GET', '/v1/tenantsettings')
      assertProblem(answer, 503, 'unavailable')
      assert.equal(answer.headers['retry-after'], '1')
    } finally {
      await app.close()
      await away.close()
    }
  })

  test('connections that the server ends are answered 503 at worst, and then replaced', async () => {
    await edge.request('GET', '/v1/notes')
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(world.db)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post({ text: `again ${at}` })),
    )
    for (const { status } of answers) assert.ok(status === 200 || status === 503, `${status}`)
    assert.equal((await post({ text: 'at last' })).status, 200)
  })
})

test('every answer carries its request id, is not stored by caches and not sniffed', async () => {
  for (const path of ['/v1/notes', '/v1/nothing', '/v1/notes/%E0%A4%A']) {
    const { headers } = await edge.request('GET', path)
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})
