/** The programs that only a developer runs, and what they say of an option that they do not have. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'

describe('an unknown option is answered with what there is', () => {
  for (const [tool, sentence] of [
    ['drill', /^Say which: npm run drill -- NAME/],
    ['release', /^Name the folder: npm run release -- /],
    ['shots', /^Say which: npm run shots -- /],
  ] as const) {
    test(`of ${tool}`, () => {
      const args = [`tools/${tool}.ts`, '--nothing']
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      assert.deepEqual([status, stdout], [1, ''])
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /at .*\.ts:\d/)
    })
  }
})
