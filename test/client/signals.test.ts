/** A call leaves nothing behind on the signal of its caller. */

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Bezant } from '#client/index.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const ROUNDS = 50

test('a signal that lives long keeps nothing of a call that has ended', async () => {
  const { signal } = new AbortController()
  let kept: WeakRef<AbortSignal> | undefined
  const listening: typeof fetch = async (_url, init) => {
    // fetch itself listens so.
    init?.signal?.addEventListener('abort', () => {}, { once: true })
    if (init?.signal) kept = new WeakRef(init.signal)
    return Response.json({ id: '1' })
  }
  const bezant = new Bezant({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', fetch: listening })
  await bezant.cards.get('1', { signal })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  for (let round = 0; round < ROUNDS && kept?.deref(); round += 1) {
    // A dereferenced object is kept until its job ends.
    await setImmediate()
    collect()
  }
  assert.equal(kept?.deref(), undefined)
})
