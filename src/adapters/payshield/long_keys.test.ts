/** Keys of three parts in a module that keeps keys by their parts (D-1440). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BroughtKey, KeyUse } from '#issuing/vault/provider.ts'
import { createLog } from '#kit/log.ts'
import { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { keeper } from '#test/support/keeper.ts'
import { ZMK, ZMK_UNDER_LMK } from '#test/support/services/hsm.ts'
import vectors from '../../../test/vectors/triple_length_keys.json' with { type: 'json' }
import { payshield } from './adapter.ts'

const keep = keeper()
const { zak, zpk } = vectors
const bytes = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

const { port } = keep(await startSimulator({ port: 0, header: 4, delay_ms: 0 }))
const open = payshield.open({
  ...{ addresses: [{ host: '127.0.0.1', port }], header: 4, lmk: null, connections: 1 },
  ...{ timeout_ms: 20_000, tls: null, key_scheme: 'U', clear_pin: false },
  transport: { clear: new Secret(ZMK), kept: new Secret(ZMK_UNDER_LMK) },
}).custody
assert.ok(open)
const { custody, carrier } = keep(await open(createLog('silent'), new Date()))
const own = await custody.bringOwn('TRANSPORT', new Secret(ZMK_UNDER_LMK))
assert.ok(own.ok)
const zmk = custody.open('TRANSPORT', own.key)

function opened(use: KeyUse, brought: BroughtKey | undefined) {
  assert.ok(brought?.ok, JSON.stringify(brought))
  assert.match(brought.key, /:T[0-9A-F]{48}$/)
  return custody.open(use, brought.key)
}

test('a ZAK and a ZPK are kept in scheme T, in whichever form they come', async () => {
  for (const [use, { cryptogram, block_b, key_hex, check_value }] of [
    ['ZAK', zak],
    ['ZPK', zpk],
  ] as const) {
    for (const brought of [
      await custody.bringCryptogram(use, cryptogram.toLowerCase(), zmk),
      await custody.bringBlock(use, block_b, zmk),
      await carrier.carry(use, new Secret(key_hex)),
    ]) {
      assert.equal(opened(use, brought).check_value, check_value)
    }
  }
})

test('codes are made and checked under a ZAK of scheme T', async () => {
  const key = opened('ZAK', await custody.bringBlock('ZAK', zak.block_b, zmk))
  const message = Buffer.from(vectors.message)
  for (const { code, ...given } of zak.codes) {
    const method = given as MacMethod
    const made = await custody.mac(key, method, message)
    assert.equal(made.toString('hex').toUpperCase(), code, method.algorithm)
    assert.ok(await custody.isMac(key, method, message, Buffer.from(code, 'hex')))
  }
})

test('a key of two parts is kept in scheme U as before', async () => {
  const [key, encrypted] = ['7FD68C3EBAEF1C49DFBFBA29B94FEFC7', zak.cryptogram.slice(0, 32)]
  const block = wrapKeyBlock(
    {
      ...{ version: 'B', key_usage: 'P0', algorithm: 'T', mode_of_use: 'B' },
      ...{ key_version: '00', exportability: 'N' },
    },
    bytes(key),
    bytes(ZMK),
    Buffer.alloc(40, 7),
  )
  for (const brought of [
    await custody.bringBlock('ZPK', block, zmk),
    await custody.bringCryptogram('ZPK', encrypted, zmk),
  ]) {
    assert.ok(brought.ok && /:U[0-9A-F]{32}$/.test(brought.key))
  }
})

test('a key of another use has two parts, and what is no key reaches no module', async () => {
  const { block_b } = zpk
  const other = await custody.bringBlock('PVK', block_b, zmk)
  assert.deepEqual(other, { ok: false, fault: 'has the usage P0, not V2' })
  const master = wrapKeyBlock(
    {
      ...{ version: 'B', key_usage: 'E0', algorithm: 'T', mode_of_use: 'X' },
      ...{ key_version: '00', exportability: 'N' },
    },
    bytes(zpk.key_hex),
    bytes(ZMK),
    Buffer.alloc(40, 7),
  )
  const fault = 'is not taken by the security module: error 27'
  assert.deepEqual(await custody.bringBlock('IMK_AC', master, zmk), { ok: false, fault })
  for (const text of ['', 'zz', `${zpk.cryptogram.slice(0, 32)}U%01`, 'A'.repeat(40)]) {
    const brought = await custody.bringCryptogram('ZPK', text, zmk)
    assert.deepEqual(brought, { ok: false, fault: 'has not 32 or 48 digits of hex' })
  }
})
