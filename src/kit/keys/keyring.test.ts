import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'
import {
  masterKeyWrapper,
  openKeyring,
  purposes,
  sealingPurposes,
  WrongMasterKey,
} from './keyring.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const { keys } = world.services
const clear = Buffer.from('4000056655665556')

describe('keyring', () => {
  test('opens what it has sealed, of any length, and the clear text is not in it', () => {
    for (const data of [Buffer.alloc(0), clear, randomBytes(100_000)]) {
      const sealed = keys.seal('cards', data, 'card 1')
      assert.ok(keys.open('cards', sealed, 'card 1').equals(data))
      assert.ok(data.length < 16 || !sealed.includes(data))
    }
  })

  test('rejects every flipped bit and every cut', () => {
    const sealed = keys.seal('cards', clear, 'card 1')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      assert.throws(() => keys.open('cards', changed, 'card 1'), `bit ${bit}`)
    }
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => keys.open('cards', sealed.subarray(0, length), 'card 1'))
    }
    assert.throws(() => keys.open('cards', Buffer.concat([sealed, Buffer.of(0)]), 'card 1'))
  })

  test('rejects bytes that were moved to another row', () => {
    const sealed = keys.seal('cards', clear, 'tenant 1:card 1')
    for (const bind of ['tenant 1:card 2', 'tenant 2:card 1', '', 'tenant 1:card 1 ']) {
      assert.throws(() => keys.open('cards', sealed, bind))
    }
  })

  test('rejects what was sealed for another purpose', () => {
    const sealed = keys.seal('secrets', clear, 'a')
    for (const purpose of sealingPurposes.filter((other) => other !== 'secrets')) {
      assert.throws(() => keys.open(purpose, sealed, 'a'), purpose)
    }
  })

  test('never seals the same bytes the same way: 20,000 nonces are distinct', () => {
    const seals = Array.from({ length: 20_000 }, () => keys.seal('cards', clear, 'a'))
    const nonces = new Set(seals.map((sealed) => sealed.toString('hex', 17, 29)))
    assert.equal(nonces.size, seals.length)
  })

  test('digests are the same for the same data, and keyed by purpose', () => {
    const digest = keys.digest('lookup', '4000056655665556')
    assert.ok(digest.equals(keys.digest('lookup', '4000056655665556')))
    assert.ok(!digest.equals(keys.digest('lookup', '4000056655665557')))
    assert.ok(!digest.equals(keys.digest('numbering', '4000056655665556')))
  })
})

describe('openKeyring', () => {
  const masterKey = randomBytes(32)

  test('opens what another process sealed under the same master key', async () => {
    await using fresh = await openWorld()
    await fresh.db.deleteFrom('data_keys').execute()
    const open = () => openKeyring(fresh.db, masterKeyWrapper(masterKey), new Date())
    const rings = await Promise.all([open(), open(), open()])
    for (const one of rings) {
      for (const other of rings) {
        const sealed = one.seal('keysets', clear, 'a')
        assert.ok(other.open('keysets', sealed, 'a').equals(clear))
        assert.ok(one.digest('lookup', 'a').equals(other.digest('lookup', 'a')))
      }
    }
  })

  test('fails where the master key is another one', async () => {
    const other = masterKeyWrapper(randomBytes(32))
    await assert.rejects(openKeyring(world.db, other, new Date()), WrongMasterKey)
  })

  test('data keys lie wrapped, each under its own name: two rows cannot swap', async () => {
    await using fresh = await openWorld()
    const rows = await fresh.db.selectFrom('data_keys').selectAll().execute()
    assert.equal(rows.length, purposes.length)
    const [one, other] = rows
    assert.ok(one && other)
    await fresh.db
      .updateTable('data_keys')
      .set({ wrapped: other.wrapped })
      .where('id', '=', one.id)
      .execute()
    const wrapper = masterKeyWrapper(masterKey)
    await assert.rejects(openKeyring(fresh.db, wrapper, new Date()), WrongMasterKey)
  })

  test('a key of the next generation seals once it is active, and the one before still opens', async () => {
    await using fresh = await openWorld()
    await fresh.db.deleteFrom('data_keys').execute()
    const wrapper = masterKeyWrapper(masterKey)
    const before = await openKeyring(fresh.db, wrapper, new Date())
    const sealed = before.seal('cards', clear, 'a')

    const id = '0197f0a0-7c1e-7000-8000-000000000001'
    const wrapped = await wrapper.wrap(randomBytes(32), `cards:${id}`)
    const row = {
      id,
      purpose: 'cards',
      generation: 2,
      wrapped,
      created: new Date(),
      activated: null,
    }
    await fresh.db.insertInto('data_keys').values(row).execute()

    const early = await openKeyring(fresh.db, wrapper, new Date())
    assert.ok(before.open('cards', early.seal('cards', clear, 'a'), 'a').equals(clear))

    await fresh.db
      .updateTable('data_keys')
      .set({ activated: new Date() })
      .where('id', '=', id)
      .execute()
    const later = await openKeyring(fresh.db, wrapper, new Date())
    assert.ok(later.open('cards', sealed, 'a').equals(clear))
    assert.ok(early.open('cards', later.seal('cards', clear, 'a'), 'a').equals(clear))
    assert.throws(() => before.open('cards', later.seal('cards', clear, 'a'), 'a'))
  })
})
