/**
 * No expression is worse than linear, whatever the text: a request of a megabyte must not hold the
 * loop that decides payments. A checker proves it of most; an expression that it does not
 * understand is measured.
 */

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { checkSync as Check } from 'recheck'
import { type Expression, expressionsOf } from '#test/support/expressions/expressions.ts'
import { superlinearText } from '#test/support/expressions/growth.ts'

// The package's usual entry starts a Java program; this one is the checker itself.
const { checkSync }: { checkSync: typeof Check } = createRequire(import.meta.url)(
  'recheck/lib/browser.js',
)

const { expressions, composed } = expressionsOf()
const once = [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()]

/** Files that put a source together of texts: each is anchored, and made of bounded parts. */
const composedIn: readonly string[] = [
  'apps/cli/scenarios/file/operations.ts',
  'src/adapters/watchman/settings.ts',
  'src/issuing/authorization/message/format.ts',
  'src/kit/http/paths.ts',
  'src/kit/log.ts',
  'src/lib/time.ts',
  'src/pin/tr31_header.ts',
]

/** Longer ones, and those with high counts, are measured: proving them takes minutes. */
const STATES_MAX = 1000
const SOURCE_MAX = 60
const PROOF_MS = 500
const HIGH_COUNT = /\{\d{2}/

type Verdict = 'linear' | 'worse' | 'not known'

function proved({ source, flags }: Expression): Verdict {
  if (source.length > SOURCE_MAX || HIGH_COUNT.test(source)) return 'not known'
  try {
    const { status } = checkSync(source, flags, {
      checker: 'automaton',
      maxNFASize: STATES_MAX,
      // An expression without a proof by then is only measured: a slow machine rejects none.
      timeout: PROOF_MS,
    })
    return status === 'safe' ? 'linear' : status === 'vulnerable' ? 'worse' : 'not known'
  } catch {
    // It runs out of its stack at long counts.
    return 'not known'
  }
}

test('no expression on text from outside takes more than linear time', (t) => {
  const worse: string[] = []
  let measured = 0
  for (const expression of once) {
    const verdict = proved(expression)
    if (verdict === 'not known') measured += 1
    if (verdict === 'worse') worse.push(`${expression.place} /${expression.source}/`)
  }
  t.diagnostic(`${once.length} expressions, ${measured} of them are only measured`)
  assert.deepEqual(worse, [])
})

test('no expression takes more than linear time on texts that are hard for it', () => {
  const worse = once.flatMap((expression) => {
    const pump = superlinearText(expression)
    return pump === undefined ? [] : [`${expression.place} on ${JSON.stringify(pump)}`]
  })
  assert.deepEqual(worse, [])
})

test('expressions that are put together are known', () => {
  assert.deepEqual(composed, composedIn)
})

test('the measure finds what is worse than linear, and lets pass what is not', () => {
  const of = (source: string) => superlinearText({ place: '', source, flags: '' })
  assert.notEqual(of('a+$'), undefined)
  assert.equal(of('(?<!a)a+$'), undefined)
  assert.equal(of('^[a-z]+$'), undefined)
})
