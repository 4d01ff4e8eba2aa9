/** The sweeps that find their work by `due_work`: doctor checks them, and they are documented. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { checksDue } from '#issuing/verification/verification.ts'
import { openWorld } from '#test/support/world.ts'
import { dueKinds } from './due_work.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** Calls of the identity provider are a sweep only if the provider is another system. */
const sweeps = [...world.sweeps, checksDue]

test('doctor checks the kinds of all sweeps whose work is in due_work', () => {
  const swept = sweeps.filter(({ earliest }) => earliest).map(({ name }) => name)
  assert.deepEqual(dueKinds.map(({ name }) => name).sort(), swept.sort())
})

test('docs/operating.md has the way of each sweep', () => {
  const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split('## Sweeps\n')
  const cells = section.split('## ')[0]?.match(/\| [^|]+ \|$/gm) ?? []
  const named = cells.flatMap((cell) => cell.slice(2, -2).split(', '))
  const names = named.filter((name) => !/^(Sweeps|---)$/.test(name)).sort()
  assert.deepEqual(names, sweeps.map(({ name }) => name).sort())
})
