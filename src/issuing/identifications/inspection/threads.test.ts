/** Inspections in threads: bounded, ended where they overrun, and apart from the loop (D-969). */

import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, describe, test } from 'node:test'
import { ApiError } from '#lib/result.ts'
import { docxEntries, pdf, zip } from '#test/support/files.ts'
import type { Stored } from './archive.ts'
import { openThreads } from './threads.ts'

const inMemory = (bytes: Buffer): Stored => ({
  size: bytes.length,
  async *read({ start, end }) {
    yield bytes.subarray(start, end)
  },
})

const isBusy = (error: unknown) => error instanceof ApiError && error.code === 'unavailable'

describe('an inspection in a thread', () => {
  const threads = openThreads()
  after(() => threads.close())

  test('returns where the file ends, or what is wrong with it', async () => {
    const whole = await threads.inspect('a', 'pdf', inMemory(pdf()))
    assert.deepEqual(whole, { end: pdf().length })
    const wrong = await threads.inspect('a', 'pdf', inMemory(pdf('/JavaScript ')))
    assert.deepEqual(wrong, { fault: 'holds a script' })
  })

  test('throws what the store throws', async () => {
    const failing: Stored = {
      size: 100,
      // biome-ignore lint/correctness/useYield: the store fails before its first byte.
      async *read() {
        throw new Error('the store is away')
      },
    }
    await assert.rejects(threads.inspect('a', 'pdf', failing), { message: 'the store is away' })
  })

  test('leaves the loop free with a DOCX of a thousand names of slashes', async (t) => {
    const names = Array.from({ length: 990 }, (_, at) => ({
      name: `${'/'.repeat(400)}${at}`.replace(/^\//, 'x'),
      data: Buffer.alloc(600),
      stored: true,
    }))
    const bytes = zip([...docxEntries(), ...names])
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const outcome = await threads.inspect('a', 'docx', inMemory(bytes))
    delay.disable()
    t.diagnostic(`the loop was held for ${(delay.max / 1e6).toFixed(0)} ms at most`)
    assert.deepEqual(outcome, { end: bytes.length })
  })
})

/** A file that is read once it is released. */
function heldBack(): { waiting: Stored; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiting: Stored = {
    size: pdf().length,
    async *read({ start, end }) {
      await promise
      yield pdf().subarray(start, end)
    },
  }
  return { waiting, release: resolve }
}

describe('the places for inspections', () => {
  test('are bounded, and free again once an inspection ends', async () => {
    const threads = openThreads({ places: 4 })
    const { waiting, release } = heldBack()
    try {
      const both = ['a', 'b', 'a', 'b'].map((one) => threads.inspect(one, 'pdf', waiting))
      await assert.rejects(threads.inspect('c', 'pdf', inMemory(pdf())), isBusy)
      release()
      await Promise.all(both)
      const outcome = await threads.inspect('b', 'pdf', inMemory(pdf()))
      assert.deepEqual(outcome, { end: pdf().length })
    } finally {
      await threads.close()
    }
  })

  test('are not all of one tenant', async () => {
    const threads = openThreads({ places: 2 })
    const { waiting, release } = heldBack()
    try {
      const own = threads.inspect('a', 'pdf', waiting)
      await assert.rejects(threads.inspect('a', 'pdf', waiting), isBusy)
      const other = await threads.inspect('b', 'pdf', inMemory(pdf()))
      assert.deepEqual(other, { end: pdf().length })
      release()
      await own
    } finally {
      await threads.close()
    }
  })
})

describe('a thread that overruns', () => {
  const module = new URL('../../../../test/support/uploads/endless.ts', import.meta.url)

  for (const name of ['inspectForever', 'inspectInTooMuchMemory']) {
    test(`is ended and replaced: ${name}`, async () => {
      const threads = openThreads({ module, name, budget_ms: 200 })
      try {
        await assert.rejects(threads.inspect('a', 'pdf', inMemory(Buffer.from('loop'))), isBusy)
        const outcome = await threads.inspect('a', 'pdf', inMemory(Buffer.from('end')))
        assert.deepEqual(outcome, { end: 3 })
      } finally {
        await threads.close()
      }
    })
  }
})
