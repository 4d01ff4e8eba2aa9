/** `bezant clearing export`, against a program that runs (D-1131). */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { openDisputed } from '#test/support/clearing/disputed.ts'
import { recordsIn } from '#test/support/clearing/files.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { openCommand } from '../cli/running.ts'

const keep = keeper()
const world = keep(await openWorld())
const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
const issuer = await openIssuer(world)
const disputed = openDisputed(issuer, openClearer(world))

test('clearing export writes the next file, and an earlier one again by its id', async () => {
  using command = openCommand()
  const at = (name: string) => join(command.folder, name)
  const run = (name: string, ...more: string[]) =>
    command.run([
      ...['clearing', 'export', at(name), '--tenant', world.tenant.id, '--json', ...more],
      ...['--url', url, '--key', world.operator_key],
    ])
  await disputed.submitted(100)
  const first = await run('one.bin', '--institution', '604')
  assert.equal(first.code, 0, first.err)
  const { ok, id, messages } = JSON.parse(first.out)
  assert.deepEqual([ok, messages], [true, 1])
  const bytes = readFileSync(at('one.bin'))
  assert.deepEqual(
    (await recordsIn(bytes)).map(({ mti }) => mti),
    ['1644', '1442', '1644'],
  )

  const again = await run('again.bin', '--id', id)
  assert.equal(again.code, 0, again.err)
  assert.ok(readFileSync(at('again.bin')).equals(bytes))
  const none = await run('none.bin')
  assert.equal(none.code, 1, none.out)
  assert.ok(!existsSync(at('none.bin')))
  const there = await run('one.bin', '--id', id)
  assert.notEqual(there.code, 0, 'a file that is there is not replaced')
})
