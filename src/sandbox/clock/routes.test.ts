import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const MINUTE = 60_000
const clock = async (key: string) =>
  Date.parse((await world.request('GET', '/v1/simulate/clock', undefined, { key })).body.now)
const isAbout = (shown: number, expected: number) => Math.abs(shown - expected) < MINUTE

describe('PUT /simulate/clock', () => {
  test('200 moves the clock of that tenant alone, and it runs on from there', async () => {
    const [mine, theirs] = [await world.otherTenant(), await world.otherTenant()]
    const move = { advance: 'P5D' }
    const { status, body } = await world.request('PUT', '/v1/simulate/clock', move, {
      key: mine.api_key,
    })
    assert.equal(status, 200)
    const expected = Date.now() + 5 * 24 * 60 * MINUTE
    assert.ok(isAbout(Date.parse(body.now), expected))
    assert.ok(isAbout(await clock(mine.api_key), expected))
    assert.ok((await clock(mine.api_key)) >= Date.parse(body.now))
    assert.ok(isAbout(await clock(theirs.api_key), Date.now()))
  })

  test('200 shows the instant that was named', async () => {
    const { api_key } = await world.otherTenant()
    const now = new Date(Date.now() + 400 * 24 * 60 * MINUTE).toISOString()
    const { body } = await world.request('PUT', '/v1/simulate/clock', { now }, { key: api_key })
    assert.equal(body.now, now)
    assert.ok(isAbout(await clock(api_key), Date.parse(now)))
  })

  test('409 clock_backwards, and the clock stays', async () => {
    const { api_key } = await world.otherTenant()
    const now = new Date(Date.now() - 1000).toISOString()
    const reply = await world.request('PUT', '/v1/simulate/clock', { now }, { key: api_key })
    assert.equal(reply.status, 409)
    assert.equal(reply.body.code, 'clock_backwards')
    assert.ok(isAbout(await clock(api_key), Date.now()))
  })

  test('moves that come at once all count', async () => {
    const { api_key } = await world.otherTenant()
    const move = () =>
      world.request('PUT', '/v1/simulate/clock', { advance: 'PT1H' }, { key: api_key })
    await Promise.all([move(), move(), move(), move()])
    assert.ok(isAbout(await clock(api_key), Date.now() + 240 * MINUTE))
  })

  test('400 for a move that is none', async () => {
    for (const move of [{}, { now: 'tomorrow' }, { advance: '5 days' }, { advance: 5 }]) {
      const reply = await world.request('PUT', '/v1/simulate/clock', move)
      assert.equal(reply.status, 400)
    }
  })
})

test('404 in live: there is no clock to move, word for word as for no route at all', async () => {
  const MASTER_KEY = '8f14e45fceea167a5a36dedd4bea2543f1c0b27b9d0c4f7e6a5b3c2d1e0f9a87'
  await using live = await openWorld({ env: { MODE: 'live', MASTER_KEY } })
  for (const method of ['GET', 'PUT']) {
    const clock = await live.request(method, '/v1/simulate/clock', { advance: 'P1D' })
    const absent = await live.request(method, '/v1/simulate/nothing', { advance: 'P1D' })
    assert.equal(clock.status, 404)
    assert.deepEqual({ ...clock.body, request_id: '' }, { ...absent.body, request_id: '' })
  }
})
