/** Keys of three parts that networks send, in each form in which they come (D-1440). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { keeper } from '#test/support/keeper.ts'
import { zoneKeyText } from '#test/support/services/zone_keys.ts'
import { openWorld } from '#test/support/world.ts'
import vectors from '../../../test/vectors/triple_length_keys.json' with { type: 'json' }
import { NetworkKeys } from './networks.ts'

const keep = keeper()
const world = keep(await openWorld())
const { zmk_hex, zmk_aes_hex, zak, zpk } = vectors
const message = Buffer.from(vectors.message)

const forms = [
  ['digits', 'cryptogram', zmk_hex, 'digits'],
  ['a key block of version B', 'block_b', zmk_hex, 'b'],
  ['a key block of version D', 'block_d', zmk_aes_hex, 'd'],
] as const

for (const [what, form, zmk, name] of forms) {
  test(`a ZAK of three parts is taken as ${what}, and codes are made under it`, async () => {
    const keys = new NetworkKeys(world.services, `zak-${name}`, zoneKeyText(zmk))
    const { check_value } = zak
    assert.ok(await keys.take({ key: zak[form], check_value, use: 'ZAK' }))
    assert.equal(keys.zak?.check_value, check_value)
    for (const { code, ...method } of zak.codes) {
      const bytes = await keys.zak?.mac(method as MacMethod, message)
      assert.equal(bytes?.toString('hex').toUpperCase(), code, method.algorithm)
      assert.ok(await keys.zak?.isMac(method as MacMethod, message, Buffer.from(code, 'hex')))
    }
  })

  test(`a ZPK of three parts is taken as ${what}, and not with another check value`, async () => {
    const keys = new NetworkKeys(world.services, `zpk-${name}`, zoneKeyText(zmk))
    const sent = { key: zpk[form], use: 'ZPK' } as const
    assert.equal(await keys.take({ ...sent, check_value: zak.check_value }), false)
    assert.deepEqual(keys.zpks(16), [])
    assert.ok(await keys.take({ ...sent, check_value: zpk.check_value }))
    assert.deepEqual(
      keys.zpks(16).map(({ check_value }) => check_value),
      [zpk.check_value],
    )
    const next = new NetworkKeys(world.services, `zpk-${name}`, zoneKeyText(zmk))
    await next.read()
    assert.equal(next.zpks(16)[0]?.check_value, zpk.check_value, 'at another process')
  })
}

test('a PIN block is made under a ZPK of three parts', () => {
  const key = new TdesKey(new Secret(Buffer.from(zpk.key_hex, 'hex')))
  const block = encodeFormat0(new Secret(zpk.pin), new Secret(zpk.pan), key)
  assert.equal(block.toString('hex').toUpperCase(), zpk.pin_block)
})
