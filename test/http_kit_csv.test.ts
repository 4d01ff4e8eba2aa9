/** Answers of any length as CSV: a partial answer is never taken for the whole. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Type } from 'typebox'
import { createApp } from '#kit/http/app.ts'
import { type Route, route } from '#kit/http/route.ts'
import { ApiError } from '#lib/result.ts'
import { issuingModule } from '#src/program/apis/issuing.ts'
import { keeper } from './support/keeper.ts'
import { openWorld } from './support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const PART = 'x'.repeat(64 * 1024)
let written = 0
let ended = 0

async function* parts(count: number, fault?: Error) {
  try {
    for (let part = 0; part < count; part += 1) {
      written += 1
      yield PART
    }
    if (fault) throw fault
  } finally {
    ended += 1
  }
}
const csvAt = (path: string, text: () => AsyncIterable<string>): Route =>
  route({
    method: 'GET',
    path,
    permission: 'read',
    ...{ id: 'listRows', tag: 'Rows', description: 'Lists rows.' },
    summary: 'List rows',
    answer: Type.Object({ json: Type.Boolean() }),
    run: async () => ({ json: true }),
    csv: () => ({ file_name: 'Überweisung.csv', text: text() }),
  })
const routes = [
  csvAt('/whole', () => parts(3)),
  csvAt('/failing', () => parts(0, new ApiError('not_found'))),
  csvAt('/broken', () => parts(3, new Error('the database went away'))),
  csvAt('/long', () => parts(10_000)),
]
const slice = { name: 'csv', routes, errors: {} }
const app = createApp(
  [issuingModule([slice], world.services, world.clock, () => world.config)],
  world.log,
)
keep({ close: () => app.close() })
const base = await app.listen({ host: '127.0.0.1', port: 0 })
const get = (path: string, accept = 'text/csv', signal?: AbortSignal) =>
  fetch(`${base}/v1${path}`, {
    headers: { accept, apikey: world.tenant.api_key },
    ...(signal && { signal }),
  })

describe('a route with a CSV export', () => {
  test('returns all of it, as a file, where CSV is accepted, and JSON otherwise', async () => {
    const answer = await get('/whole')
    assert.equal(answer.status, 200)
    assert.equal((await answer.text()).length, 3 * PART.length)
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    const disposition = String(answer.headers.get('content-disposition'))
    assert.match(disposition, /^attachment; .*filename\*=UTF-8''%C3%9Cberweisung\.csv$/)
    assert.deepEqual(await (await get('/whole', '*/*')).json(), { json: true })
  })

  test('returns an error before the first line as an error', async () => {
    const answer = await get('/failing')
    assert.equal(answer.status, 404)
    const { code } = Object(await answer.json())
    assert.equal(code, 'not_found')
    assert.equal(answer.headers.get('content-disposition'), null)
  })

  test('cuts the connection at a fault after it', async () => {
    const answer = await get('/broken')
    assert.equal(answer.status, 200)
    await assert.rejects(answer.text())
  })

  test('is written no faster than it is read, and no further than the client stays', async () => {
    const before = { written, ended }
    const leaving = new AbortController()
    const answer = await get('/long', 'text/csv', leaving.signal)
    const reader = answer.body?.getReader()
    await reader?.read()
    // Lines are written until the buffers on the way are full, and then no more.
    for (let last = -1; last !== written; ) {
      last = written
      for (let turns = 0; turns < 200; turns += 1) await turn()
    }
    assert.ok(written - before.written < 200, `${written - before.written} parts were written`)
    leaving.abort()
    while (ended === before.ended) await turn()
    assert.ok(written - before.written < 400)
  })
})
