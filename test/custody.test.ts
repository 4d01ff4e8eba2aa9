/** Both custodies of keys, by the vectors: the results of one are those of the other (D-1012). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { AAV_METHOD } from '#cvv/aav.ts'
import { readCryptogram } from '#emv/cryptogram.ts'
import { parseTlv, valuesByTag } from '#emv/tlv.ts'
import { makePin, zoneKey } from '#issuing/card_orders/card_values.ts'
import type { CardCryptography, CardKey, KeyUse, Proofs } from '#issuing/vault/provider.ts'
import { softwareCustody } from '#issuing/vault/vault.ts'
import { createLog } from '#kit/log.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { macOf } from '#mac/mac.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { readConfig } from '#src/config/config.ts'
import { openCustody } from '#src/program/modes/custody.ts'
import { moduleSettings } from './support/services/custody.ts'
import { imported } from './support/services/hsm.ts'
import cvvs from './vectors/cvv.json' with { type: 'json' }
import cryptograms from './vectors/emv_arqc_arpc.json' with { type: 'json' }
import blocks0 from './vectors/pinblock_iso0.json' with { type: 'json' }
import blocks4 from './vectors/pinblock_iso4.json' with { type: 'json' }
import pvvs from './vectors/pvv.json' with { type: 'json' }

const simulator = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
after(() => simulator.close())
const config = readConfig(moduleSettings(simulator.port))
const opened = await openCustody(config, createLog('silent'), new Date())
after(() => opened.close())

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const secret = (text: string) => new Secret(text)
const OTHER_PVK = '0123456789ABCDEFFEDCBA9876543210'

for (const [name, custody] of [
  ['software', softwareCustody],
  ['a module', opened.custody],
] as const) {
  describe(`custody in ${name}`, () => contract(custody))
}

function contract(custody: CardCryptography) {
  async function key(use: KeyUse, hex: string): Promise<CardKey> {
    const brought = await custody.bringClear(use, secret(hex))
    assert.ok(brought.ok, brought.ok ? '' : brought.fault)
    return custody.open(use, brought.key)
  }

  /** Finds out what a decision would: at once, or by asking what was noted. */
  async function found<Found>(read: (proofs: Proofs) => Found): Promise<Found> {
    if ('proofs' in custody.proving) return read(custody.proving.proofs)
    const inquiry = custody.proving.inquire()
    read(inquiry.proofs)
    assert.ok(inquiry.hasQuestions())
    await inquiry.ask(10_000)
    const answer = read(inquiry.proofs)
    assert.equal(inquiry.hasQuestions(), false)
    return answer
  }

  const keysOf = async (pvk: string, zpk: string, zpk_aes?: string) => ({
    pvk: await key('PVK', pvk),
    pvki: '1',
    zpk: await key('ZPK', zpk),
    zpk_aes: zpk_aes === undefined ? undefined : await key('ZPK_AES', zpk_aes),
  })

  for (const vector of cvvs.vectors) {
    test(`${vector.id}: the value is made, proves the card, and no other does`, async () => {
      const data = {
        cvk: await key('CVK', vector.cvk_hex),
        pan: secret(vector.pan),
        expiry_yymm: vector.expiry_yymm,
        service_code: vector.service_code,
        date_order: vector.date_order === 'MMYY' ? ('MMYY' as const) : ('YYMM' as const),
      }
      assert.equal((await custody.cvv(data)).reveal(), vector.cvv)
      const wrong = secret(String((Number(vector.cvv) + 1) % 1000).padStart(3, '0'))
      for (const [value, outcome] of [
        [secret(vector.cvv), 'right'],
        [wrong, 'wrong'],
        [secret('12'), 'wrong'],
      ] as const) {
        assert.equal(await found((proofs) => proofs.cvv({ ...data, value })), outcome)
        assert.equal(await custody.isCvv({ ...data, value }), outcome === 'right')
      }
    })
  }

  for (const vector of pvvs.vectors) {
    test(`${vector.id}: the verification value is that of the PIN in the clear`, async () => {
      const keys = { pvk: await key('PVK', vector.pvk_hex), pvki: vector.pvki }
      if (vector.pin.length !== 4) return
      const pvv = await custody.valueOfPin(secret(vector.pin), secret(vector.pan), keys, 'PVV')
      assert.equal(pvv.reveal(), vector.pvv)
    })
  }

  const ofZones = [
    ...blocks0.vectors.map((one) => ({ ...one, zpk: one.zpk_hex, aes: undefined })),
    ...blocks4.vectors.map((one) => ({ ...one, zpk: OTHER_PVK, aes: one.key_hex })),
  ].flatMap((one) => [
    ...(one.pin.length === 4 ? [{ ...one, verification: 'PVV' as const }] : []),
    { ...one, verification: 'OFFSET' as const },
  ])
  for (const { id, pin, pan, zpk, aes, encrypted_block_hex, verification } of ofZones) {
    test(`${id}: the block proves its PIN by ${verification}, and sets it once`, async () => {
      const keys = await keysOf(OTHER_PVK, zpk, aes)
      const block = secret(encrypted_block_hex)
      const valueBy = (way: 'PVV' | 'OFFSET') =>
        custody.valueOfPin(secret(pin), secret(pan), keys, way)
      const kept = await valueBy(verification)
      // The first digit is another one.
      const wrong = kept.map((text) => `${(Number(text[0]) + 1) % 10}${text.slice(1)}`)
      const tried = { keys, block, over: secret(pan), pan: secret(pan) }
      assert.equal(await found((proofs) => proofs.pin({ ...tried, kept })), 'right')
      assert.equal(await found((proofs) => proofs.pin({ ...tried, kept: wrong })), 'wrong')
      const garbage = secret(encrypted_block_hex.replace(/^..../, '0000'))
      const outcome = await found((proofs) => proofs.pin({ ...tried, block: garbage, kept }))
      assert.equal(outcome, 'wrong')
      const asked = { keys, block, pan: secret(pan), length: pin.length, refuse_weak: false }
      const terms = { ...asked, verification }
      const set = await custody.newPin({ ...terms, kept: undefined })
      assert.ok(set.ok && set.value.equals(kept))
      const refused = { ok: false, fault: 'BLOCK' }
      assert.deepEqual(await custody.newPin({ ...terms, kept }), refused, 'it is the present one')
      assert.deepEqual(await custody.newPin({ ...terms, block: garbage, kept: wrong }), refused)
      if (verification === 'OFFSET') {
        assert.deepEqual(await custody.newPin({ ...terms, length: 3, kept: wrong }), refused)
      }
      if (pin.length !== 4) return
      const other = await valueBy(verification === 'PVV' ? 'OFFSET' : 'PVV')
      assert.deepEqual(await custody.newPin({ ...terms, kept: other }), refused, 'the same PIN')
    })
  }

  test('an offset is that of IBM 3624 over the account number and the usual table', async () => {
    const pan = '4999990000000011'
    const keys = { pvk: await key('PVK', OTHER_PVK), pvki: '1' }
    const own = new TdesKey(new Secret(bytes(OTHER_PVK)))
    const natural = own.encrypt(bytes('9990000000010000')).toString('hex')
    const digits = [...natural].map((digit) => Number.parseInt(digit, 16) % 10)
    const pin = '483159'
    const expected = [...pin].map((digit, at) => (Number(digit) - (digits[at] ?? 0) + 10) % 10)
    const value = await custody.valueOfPin(secret(pin), secret(pan), keys, 'OFFSET')
    assert.equal(value.reveal(), `${expected.join('')}FFFFFF`)
  })

  test('a block over the number of a wallet token proves the PIN of its card', async () => {
    const [of0] = blocks0.vectors
    assert.ok(of0)
    const keys = await keysOf(OTHER_PVK, of0.zpk_hex)
    const pan = secret('4999990000000011')
    const pin = secret('4831')
    const over = secret('4888880000000014')
    const block = await custody.pinBlock(pin, over, { ...keys, zpk_aes: await aesKey() })
    const tried = { keys: { ...keys, zpk_aes: await aesKey() }, block, over, pan }
    for (const verification of ['PVV', 'OFFSET'] as const) {
      const kept = await custody.valueOfPin(pin, pan, keys, verification)
      assert.equal(await found((proofs) => proofs.pin({ ...tried, kept })), 'right')
      assert.equal(await found((proofs) => proofs.pin({ ...tried, over: pan, kept })), 'wrong')
    }
  })
  const aesKey = () => key('ZPK_AES', 'E946AFF47BDFC87DB2F651602F413E47')

  for (const [verification, length] of [
    ['PVV', 4],
    ['OFFSET', 4],
    ['OFFSET', 12],
  ] as const) {
    test(`a random PIN of ${length} digits has the ${verification} of its block`, async () => {
      const keys = await keysOf(OTHER_PVK, '62325862B902B5FEFE19D50E68670B7C')
      const pan = secret('4999990000000011')
      const wanted = { length, pan, refuse_weak: true, verification }
      const { value, block } = await custody.randomPin(wanted, keys, keys.zpk)
      const tried = { keys, block, over: pan, pan, kept: value }
      assert.equal(await found((proofs) => proofs.pin(tried)), 'right')
      const asked = { keys, block, pan, length, refuse_weak: false, verification }
      const again = await custody.newPin({ ...asked, kept: value })
      assert.deepEqual(again, { ok: false, fault: 'BLOCK' })
    })
  }

  for (const vector of cryptograms.vectors) {
    test(`${vector.id}: the cryptogram is right and is answered, a wrong one is not`, async () => {
      const parsed = parseTlv(bytes(vector.de55_request_hex))
      assert.ok(parsed.ok)
      const tags = valuesByTag(parsed.items)
      const read = readCryptogram(tags, vector.psn)
      assert.ok(read.ok)
      const card = { imk_ac: await key('IMK_AC', vector.imk_ac_hex), pan: secret(vector.pan) }
      const asked = { ...card, cryptogram: read.cryptogram }
      assert.equal(await found((proofs) => proofs.cryptogram(asked)), 'right')
      const { arpc } = vector
      const answer = {
        arc: bytes(arpc.arc_hex ?? '3030'),
        csu: bytes(arpc.csu_hex ?? '00000000'),
        proprietary: bytes(arpc.proprietary_auth_data_hex ?? ''),
      }
      const data = await found((proofs) => proofs.issuerData({ ...asked, answer }))
      assert.equal(data?.toString('hex').toUpperCase(), arpc.tag91_hex)
      const wrong = readCryptogram(new Map(tags).set('9F26', bytes(vector.wrong_arqc_hex)))
      assert.ok(wrong.ok)
      const other = { ...card, cryptogram: { ...wrong.cryptogram, psn: read.cryptogram.psn } }
      assert.equal(await found((proofs) => proofs.cryptogram(other)), 'wrong')
    })

    test(`${vector.id}: a script has the same code in every custody`, async () => {
      const parsed = parseTlv(bytes(vector.de55_request_hex))
      assert.ok(parsed.ok)
      const read = readCryptogram(valuesByTag(parsed.items), vector.psn)
      assert.ok(read.ok)
      if (vector.pan.length > 16) return
      const script = { name: 'BLOCK', number: 1 } as const
      const of = { pan: secret(vector.pan), cryptogram: read.cryptogram, script }
      const smi = 'FEDCBA98765432100123456789ABCDEF'
      const imk_smi = await key('IMK_SMI', smi)
      const own = new TdesKey(new Secret(bytes(smi)))
      const { proofs } = softwareCustody.proving
      const made = await found((asked) => asked.scriptMac({ ...of, imk_smi }))
      assert.deepEqual(made, proofs.scriptMac({ ...of, imk_smi: own }))
    })
  }

  test('codes of messages are those of the algorithm, and of no other message', async () => {
    const hex = '7CFB6897DF10A25B3DAE6BAB866423F8'
    const zak = await key('ZAK', hex)
    const message = randomBytes(100)
    for (const algorithm of ['iso9797_1', 'iso9797_3', 'cmac'] as const) {
      for (const padding of [1, 2] as const) {
        const method = { algorithm, padding }
        const mac = await custody.mac(zak, method, message)
        assert.deepEqual(mac, macOf(new TdesKey(new Secret(bytes(hex))), method, message))
        assert.equal(await custody.isMac(zak, method, message, mac.subarray(0, 4)), true)
        assert.equal(await custody.isMac(zak, method, message.subarray(1), mac), false)
        assert.equal(await custody.isMac(zak, method, message, mac.subarray(0, 3)), false)
      }
    }
  })

  test('the code of an AAV proves its message, and no other', async () => {
    const aav_mac = await key('ZAK', '7CFB6897DF10A25B3DAE6BAB866423F8')
    const message = Buffer.from('0268e1a2b3deadbeef|card|1250|AED|SHOP1')
    const code = await custody.mac(aav_mac, AAV_METHOD, message)
    const proofOf = (of: Buffer, by: Buffer) =>
      found((proofs) => proofs.aav({ key: aav_mac, message: of, code: by }))
    assert.equal(await proofOf(message, code), 'right')
    assert.equal(await proofOf(message.subarray(1), code), 'wrong')
    assert.equal(await proofOf(message, Buffer.alloc(8)), 'wrong')
  })

  test('a key that is made has a check value, and opens in its custody alone', async () => {
    for (const use of ['CVK', 'PVK', 'IMK_AC', 'IMK_SMI', 'IMK_SMC', 'ZPK', 'ZPK_AES'] as const) {
      const kept = await custody.make(use)
      assert.ok(kept !== undefined)
      assert.match(custody.open(use, kept).check_value, /^[0-9A-F]{6}$/)
      const other = custody.place === 'MODULE' ? softwareCustody : opened.custody
      assert.throws(() => other.open(use, kept), /in another custody/)
    }
  })

  test('a key keeps its check value, which is that of the key in software', async () => {
    for (const vector of cvvs.vectors.slice(0, 3)) {
      const cvk = await key('CVK', vector.cvk_hex)
      const own = new TdesKey(new Secret(bytes(vector.cvk_hex)))
      assert.equal(cvk.check_value, own.check_value)
    }
  })
}

for (const [form, type, attributes] of [
  ['the variant scheme', '001', ''],
  ['a key block', 'FFF', '#P0B00E00'],
] as const) {
  test(`the zone key of a bureau comes as the module shows it, in ${form}`, async () => {
    const pan = secret('5413330089020011')
    const own = imported(type, OTHER_PVK, attributes)
    const zpk = await zoneKey(opened, secret(own))
    const made = await opened.custody.make('PVK')
    assert.ok(made)
    const keys = { pvk: opened.custody.open('PVK', made), pvki: '1' }
    const wanted = { pan, length: 4, refuse_weak: false, verification: 'PVV' } as const
    const { value, block } = await makePin(opened, keys, zpk, wanted)
    const clear = new TdesKey(new Secret(bytes(OTHER_PVK)))
    const pin = decodeFormat0(bytes(block.reveal()), pan, clear)
    assert.ok(pin)
    const again = await opened.custody.valueOfPin(pin, pan, keys, 'PVV')
    assert.equal(again.reveal(), value.reveal())
  })
}

test('a zone key in the clear is a fault where the module cannot take it in', async () => {
  const {
    HSM_TRANSPORT_KEY: _key,
    HSM_TRANSPORT_KEY_LMK: _own,
    ...others
  } = moduleSettings(simulator.port)
  const without = await openCustody(readConfig(others), createLog('silent'), new Date())
  await assert.rejects(zoneKey(without, secret(OTHER_PVK)), /as the security module shows it/)
  without.close()
})
