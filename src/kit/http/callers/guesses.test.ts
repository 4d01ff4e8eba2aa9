import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '#lib/result.ts'
import { Guesses, TooManyGuesses } from './guesses.ts'

const START = 1_700_000_000_000
const ATTACKER = '203.0.113.9'

/** A guard with the credentials that are good, and how often they were looked up. */
function guard(...good: string[]) {
  const guesses = new Guesses()
  const seen = { lookups: 0 }
  const ask = async (credential: string, at = 0, address = ATTACKER) => {
    const attempt = { address, credential, now: START + at }
    try {
      return await guesses.watch(attempt, async () => {
        seen.lookups++
        if (credential === 'outage') throw new Error('the database is not available')
        if (!good.includes(credential)) {
          throw new ApiError('unauthenticated')
        }
        return 'in'
      })
    } catch (error) {
      if (error instanceof TooManyGuesses) return 'wait'
      return error instanceof ApiError ? 'out' : 'broken'
    }
  }
  return { ask, seen, good }
}

async function guessMany(ask: (credential: string) => Promise<string>, count: number) {
  const answers: string[] = []
  for (let at = 0; at < count; at++) answers.push(await ask(`guess ${at}`))
  return answers
}
const count = (answers: readonly string[], answer: string) =>
  answers.filter((one) => one === answer).length

describe('guesses', () => {
  test('100 are looked up, then none without a wait, and then one a second', async () => {
    const { ask, seen } = guard()
    const answers = await guessMany(ask, 500)
    assert.deepEqual([count(answers, 'out'), count(answers, 'wait')], [100, 400])
    assert.equal(seen.lookups, 100)
    assert.equal(await ask('later', 1_000), 'out')
    assert.equal(await ask('at once', 1_000), 'wait')
    assert.equal(await ask('the next minutes', 101_000), 'out')
  })

  test('500 at once are no more', async () => {
    const { ask } = guard()
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => ask(`guess ${at}`)))
    assert.deepEqual([count(answers, 'out'), count(answers, 'wait')], [100, 400])
  })

  test('a credential that was good goes on working from the same address', async () => {
    const { ask } = guard('right')
    assert.equal(await ask('right'), 'in')
    await guessMany(ask, 100)
    assert.equal(await ask('right'), 'in')
    assert.equal(await ask('wrong'), 'wait')
  })

  test('a credential that is good no more is a guess', async () => {
    const { ask, good } = guard('right')
    assert.equal(await ask('right'), 'in')
    await guessMany(ask, 100)
    good.length = 0
    assert.equal(await ask('right'), 'out')
    assert.equal(await ask('right'), 'wait')
  })

  test('good credentials and outages use nothing up', async () => {
    const { ask } = guard('one', 'two')
    for (let at = 0; at < 200; at++) await ask('outage', at)
    for (let at = 0; at < 200; at++) assert.equal(await ask(at % 2 ? 'one' : 'two', at), 'in')
    assert.equal(count(await guessMany(ask, 101), 'out'), 100)
  })

  test('one credential from a hundred requests at once is looked up for all of them', async () => {
    const { ask } = guard('right')
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('right')))
    assert.equal(count(answers, 'in'), 100)
  })

  test('other addresses are not held up', async () => {
    const { ask } = guard('right')
    await guessMany(ask, 100)
    assert.equal(await ask('right', 0, '203.0.113.10'), 'in')
  })

  test('what is remembered is bounded: the oldest address is forgotten', async () => {
    const { ask } = guard()
    for (let at = 0; at < 101; at++) await ask(`guess ${at}`)
    for (let at = 0; at < 10_000; at++) await ask('guess', 0, `10.1.${at >> 8}.${at & 255}`)
    assert.equal(await ask('guess'), 'out')
  })
})
