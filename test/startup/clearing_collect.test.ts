/** `bezant clearing collect`: the files of the own acquirer, by the database (D-1047). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { masterKeyWrapper } from '#kit/keys/keyring.ts'
import { recordsIn } from '#test/support/clearing/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { openCommand } from '../cli/running.ts'
import { callsOf } from '../e2e/parts.ts'
import { openShop } from '../e2e/shop.ts'

const keep = keeper()
const key = randomBytes(32)
const shop = keep(
  await openShop({ env: { ISSUER_CLEARING: 'file' }, wrapper: masterKeyWrapper(key) }),
)
await shop.signIn()
const { capture, refund } = callsOf(shop)
const card = await shop.customer(100_000n)
const command = keep(openCommand({ DATABASE_URL: shop.url, MASTER_KEY: key.toString('hex') }))
const at = (name: string) => join(command.folder, name)
const collect = (name: string, ...more: string[]) =>
  command.run(['clearing', 'collect', at(name), '--tenant', shop.tenant.id, '--json', ...more])
const kindsIn = async (name: string) =>
  (await recordsIn(readFileSync(at(name)))).map(
    ({ mti, elements }) => `${mti} ${elements.get(24)} ${elements.get(3) ?? ''}`,
  )

test('clearing collect writes the next file at once, and an earlier one again', async () => {
  const none = await collect('none.bin')
  assert.equal(none.code, 1, none.out)
  assert.ok(!existsSync(at('none.bin')))

  const { reference } = await shop.order(card)
  assert.equal((await capture(reference)).status, 200)
  assert.equal((await refund(reference, '10.00')).status, 200)
  const first = await collect('one.bin')
  assert.equal(first.code, 0, first.err)
  const { id, file, messages } = JSON.parse(first.out)
  assert.equal(messages, 2)
  assert.deepEqual(await kindsIn('one.bin'), [
    ...['1644 697 ', '1240 200 000000', '1240 200 200000', '1644 695 '],
  ])

  const again = await collect('again.bin', '--id', id)
  assert.equal(again.code, 0, again.err)
  assert.ok(readFileSync(at('again.bin')).equals(readFileSync(at('one.bin'))))
  assert.equal((await collect('two.bin')).code, 1)
  assert.equal((await collect('one.bin', '--id', id)).code, 2)
  assert.equal((await collect('x.bin', '--issuer', 'nobody')).code, 2)

  const listed = await command.run([
    ...['clearing', 'collected', '--tenant', shop.tenant.id, '--json'],
  ])
  assert.deepEqual(
    JSON.parse(listed.out).files.map((one: { file: string }) => one.file),
    [file],
  )
})

test('clearing import takes such a file in, and knows it again', async () => {
  const run = () => command.run(['clearing', 'import', at('one.bin'), '--json'])
  const first = await run()
  assert.equal(first.code, 0, first.err)
  const { id, ok, known } = JSON.parse(first.out)
  assert.deepEqual([ok, known], [true, false])
  const again = JSON.parse((await run()).out)
  assert.deepEqual([again.id, again.known], [id, true])
})
