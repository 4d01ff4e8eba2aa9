import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { isInModule, protectionKey } from '#test/support/services/custody.ts'
import { openWorld } from '#test/support/world.ts'
import vectors from '../../../test/vectors/tr31.json' with { type: 'json' }

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const operator = { key: world.operator_key }
const bytes = (hex: string) => Buffer.from(hex, 'hex')

async function newProduct() {
  const product = { name: 'Keys', currency: 'AED', bin: freshBin() }
  const { body } = await world.request('POST', '/v1/cardproducts', product)
  const path = `/v1/operator/tenants/${world.tenant.id}/cardproducts/${body.id}`
  return {
    path,
    protect: (hex: string) =>
      world.request('PUT', `${path}/keyblockprotectionkey`, protectionKey(hex), operator),
    join: (...components: string[]) =>
      world.request('PUT', `${path}/keyblockprotectionkey`, { components }, operator),
    bring: (name: string, key_block: string) =>
      world.request('POST', `${path}/keys`, { name, key_block }, operator),
  }
}

/** A block of version B. */
const blockOf = (key_usage: string, key: string, kbpk: string) => {
  const use = { version: 'B', key_usage, algorithm: 'T', mode_of_use: 'X' } as const
  const header = { ...use, key_version: '00', exportability: 'N' }
  return wrapKeyBlock(header, new Secret(bytes(key)), new Secret(bytes(kbpk)), Buffer.alloc(40, 1))
}
const checkOf = (key: string) => checkValueOf(new TdesKey(new Secret(bytes(key))))

const KBPK = 'DCFE75C773EA52F2328C924AD32A4C29'
const KEY = '7FD68C3EBAEF1C49DFBFBA29B94FEFC7'
const names: Readonly<Record<string, string>> = { P0: 'zpk', V2: 'pvk' }

/** A module says by its error alone what is wrong. */
const notTaken = isInModule ? /security module: error|has the usage/ : /does not match its code/

describe('a key block', () => {
  for (const vector of vectors.vectors) {
    const { id, key_usage, kbpk_hex, key_block, tampered_key_block, key_hex } = vector
    const name = names[key_usage]
    test(`${id} brings its key in, and nothing of it when it was changed`, async () => {
      const { protect, bring } = await newProduct()
      assert.equal((await protect(kbpk_hex)).status, 200)
      const changed = await bring(name ?? 'zpk', tampered_key_block)
      assert.deepEqual([changed.status, changed.body.errors[0].path], [400, 'key_block'])
      assert.match(changed.text, notTaken)
      const lower = await bring(name ?? 'zpk', key_block.toLowerCase())
      assert.match(lower.text, /is in lower case/)
      const ofThales = await bring(name ?? 'zpk', `R${key_block}`)
      assert.match(ofThales.text, /begins with the R of Thales/)
      const { status, body, text } = await bring(name ?? 'zpk', key_block)
      if (name === undefined) {
        assert.equal(status, 400)
        return assert.match(text, new RegExp(`usage ${key_usage}`))
      }
      assert.equal(status, 200, text)
      assert.equal(body.check_values[name], checkOf(key_hex))
      assert.equal(text.toUpperCase().includes(key_hex), false)
    })
  }

  test('brings each key of chips in under its own usage alone', async () => {
    const { protect, bring } = await newProduct()
    await protect(KBPK)
    for (const [name, usage] of [
      ['imk_ac', 'E0'],
      ['imk_smc', 'E1'],
      ['imk_smi', 'E2'],
      ['cvk', 'C0'],
    ] as const) {
      const { status, body } = await bring(name, blockOf(usage, KEY, KBPK))
      assert.deepEqual([status, body.check_values?.[name]], [200, checkOf(KEY)])
      assert.equal((await bring(name, blockOf('K0', KEY, KBPK))).status, 400)
    }
    assert.equal((await bring('zpk_aes', blockOf('P0', KEY, KBPK))).status, 400, 'no AES key')
  })

  test('with a key of triple length is rejected', async () => {
    const { protect, bring } = await newProduct()
    await protect(KBPK)
    assert.equal((await bring('imk_ac', blockOf('E0', KEY + KEY.slice(0, 16), KBPK))).status, 400)
  })

  test('is rejected under another protection key, as text that is none, and as a guess', async () => {
    const { protect, bring } = await newProduct()
    await protect(KEY)
    assert.equal((await bring('imk_ac', blockOf('E0', KEY, KBPK))).status, 400)
    assert.equal((await bring('imk_ac', 'X'.repeat(96))).status, 400)
    assert.equal((await bring('imk', blockOf('E0', KEY, KBPK))).status, 400)
  })
})

describe('the protection key', () => {
  test('is joined of components, answers check values alone, and has to be set first', async () => {
    const { join, bring } = await newProduct()
    const block = blockOf('E0', KEY, KBPK)
    const early = await bring('imk_ac', block)
    assert.deepEqual([early.status, early.body.code], [409, 'key_block_protection_key_missing'])
    const other = '0123456789ABCDEFFEDCBA9876543210'
    const rest = bytes(KBPK).map((byte, at) => byte ^ (bytes(other)[at] ?? 0))
    const { status, body, text } = await join(other, Buffer.from(rest).toString('hex'))
    assert.equal(status, 200, text)
    assert.equal(body.check_values.tdes, checkOf(KBPK))
    assert.equal((await bring('imk_ac', block)).status, 200)
  })

  test('is named as set, with the check values of the keys, and no key', async () => {
    const { path, protect, bring } = await newProduct()
    const read = () => world.request('GET', `${path}/keys`, undefined, operator)
    assert.equal((await read()).body.protection_key_set, false)
    await protect(KBPK)
    const { body: installed } = await bring('imk_ac', blockOf('E0', KEY, KBPK))
    const { status, body, text } = await read()
    assert.equal(status, 200, text)
    assert.deepEqual(body, { ...installed, protection_key_set: true })
    assert.ok(!text.toUpperCase().includes(KEY))
    assert.equal((await world.request('GET', `${path}/keys`)).status, 403)
    const other = path.replace(/[^/]+$/, randomUUID())
    assert.equal((await world.request('GET', `${other}/keys`, undefined, operator)).status, 404)
  })

  test('400 for components of several lengths or none; 404 for no product; 403 for clients', async () => {
    const { join } = await newProduct()
    assert.equal((await join(KBPK, KBPK + KBPK)).status, 400)
    assert.equal((await join()).status, 400)
    assert.equal((await join('00')).status, 400)
    const path = `/v1/operator/tenants/${world.tenant.id}/cardproducts/${randomUUID()}`
    const body = protectionKey(KBPK)
    const missing = await world.request('PUT', `${path}/keyblockprotectionkey`, body, operator)
    assert.equal(missing.status, 404)
    assert.equal((await world.request('PUT', `${path}/keyblockprotectionkey`, body)).status, 403)
  })
})
