import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arpcMethod2 } from '#emv/cryptogram.ts'
import { cardKey } from '#emv/keys.ts'
import { padded, paddedWithZeros, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { ask, bytes, imported, secret, upper } from '#test/support/services/hsm.ts'
import arqcVectors from '../../../../test/vectors/emv_arqc_arpc.json' with { type: 'json' }

type Vector = (typeof arqcVectors.vectors)[number]
type Part = string | Buffer

const isCommon = ({ scheme }: Vector): boolean => /CVN(18|20|21|22)$/.test(scheme)

/** The sender pads: zeros for Visa 10, 80 00 for all others. */
function dataOf({ ac_input_hex, padding }: Vector): Buffer {
  const input = bytes(ac_input_hex)
  return padding.includes('method 1') ? paddedWithZeros(input, 8) : padded(input, 8)
}

/** Option A takes the last 16 digits of number and sequence number, B all of them with a length. */
function cardOf({ pan, psn, icc_mk_derivation }: Vector): Part[] {
  const digits = pan + psn
  if (icc_mk_derivation === 'A') return [bytes(digits.slice(-16).padStart(16, '0'))]
  const whole = digits.length % 2 === 0 ? digits : `0${digits}`
  const packed = bytes(whole.padStart(16, '0'))
  return [String(packed.length).padStart(2, '0'), packed]
}

function start(vector: Vector, mode: string): Part[] {
  const { tags, imk_ac_hex, icc_mk_derivation } = vector
  const imk = imported('109', imk_ac_hex)
  const [atc, unpredictable] = [bytes(tags['9F36']), bytes(tags['9F37'])]
  const scheme = vector.scheme === 'VisaCVN10' ? '0' : '1'
  return isCommon(vector)
    ? [mode, icc_mk_derivation === 'A' ? '2' : '3', imk, ...cardOf(vector), atc]
    : [mode, scheme, imk, ...cardOf(vector), atc, unpredictable]
}

function withData(vector: Vector, mode: string, arqc: string): Part[] {
  const data = dataOf(vector)
  const length = data.length.toString(16).toUpperCase().padStart(2, '0')
  return [...start(vector, mode), length, data, ';', bytes(arqc)]
}

function saysOf({ arpc }: Vector): Part[] {
  if (arpc.method === 1) return [bytes(arpc.arc_hex ?? '')]
  const proprietary = bytes(arpc.proprietary_auth_data_hex ?? '')
  const counted = proprietary.length > 0 ? [String(proprietary.length), proprietary] : []
  return [bytes(arpc.csu_hex ?? ''), ...counted]
}

for (const vector of arqcVectors.vectors) {
  const command = isCommon(vector) ? 'KW' : 'KQ'
  const { arpc, arqc_hex, wrong_arqc_hex } = vector

  test(`${vector.id}: ${command} verifies the cryptogram, and no other`, () => {
    assert.equal(ask(command, ...withData(vector, '0', arqc_hex)).code, '00')
    const wrong = ask(command, ...withData(vector, '0', wrong_arqc_hex))
    assert.deepEqual([wrong.code, wrong.text], ['01', ''])
  })

  test(`${vector.id}: ${command} makes the answer, with and without the cryptogram's data`, () => {
    const [both, alone] = arpc.method === 1 ? ['1', '2'] : ['3', '4']
    for (const end of ['', '%00', '\x19trailer']) {
      const says = [...saysOf(vector), end]
      const trailer = end.startsWith('\x19') ? upper(Buffer.from(end)) : ''
      const answered = ask(command, ...withData(vector, both, arqc_hex), ...says)
      assert.deepEqual([answered.code, upper(answered.fields)], ['00', arpc.arpc_hex + trailer])
      const short = ask(command, ...start(vector, alone), bytes(arqc_hex), ...says)
      assert.deepEqual([short.code, upper(short.fields)], ['00', arpc.arpc_hex + trailer])
      const long = ask(command, ...withData(vector, alone, wrong_arqc_hex), ...says)
      assert.equal(long.code, '00')
    }
    const wrong = ask(command, ...withData(vector, both, wrong_arqc_hex), ...saysOf(vector))
    assert.deepEqual([wrong.code, wrong.text], ['01', ''])
  })
}

const [first] = arqcVectors.vectors
assert.ok(first)
const common = arqcVectors.vectors.find((vector) => vector.icc_mk_derivation === 'B')
assert.ok(common)

test('KQ answers by method 2 too, under the key of the card', () => {
  const { imk_ac_hex, pan, psn, arqc_hex } = first
  const key = cardKey(new TdesKey(secret(imk_ac_hex)), 'A', new Secret(pan), psn)
  const csu = bytes('03920000')
  for (const proprietary of [Buffer.alloc(0), bytes('0102'), bytes('F102030405060708')]) {
    const right = upper(arpcMethod2(key, bytes(arqc_hex), csu, proprietary))
    for (const count of ['', String(proprietary.length)]) {
      for (const end of ['', '%00']) {
        const said = [csu, count, proprietary, end]
        assert.equal(upper(ask('KQ', ...withData(first, '3', arqc_hex), ...said).fields), right)
        assert.equal(upper(ask('KQ', ...start(first, '4'), bytes(arqc_hex), ...said).fields), right)
      }
    }
  }
})

test('KW takes a counted card number that ; ends', () => {
  const [mode, scheme, imk, length, card, ...rest] = withData(common, '0', common.arqc_hex)
  assert.ok(mode && scheme && imk && length && card)
  assert.equal(ask('KW', mode, scheme, imk, length, card, ';', ...rest).code, '00')
})

test('what is wrong with a cryptogram has a code', () => {
  const imk = imported('109', first.imk_ac_hex)
  const card = bytes('8290070258550100')
  const rest = [Buffer.alloc(6), '08', Buffer.alloc(8), ';', Buffer.alloc(8)]
  assert.equal(ask('KQ', '00', imk, card, ...rest).code, '01')
  assert.equal(ask('KQ', '90', imk, card, ...rest).code, '04')
  assert.equal(ask('KQ', '07', imk, card, ...rest).code, '05')
  assert.equal(ask('KW', '00', imk, card, ...rest).code, '05')
  assert.equal(ask('KQ', '00', imk, bytes('82900702585501FF'), ...rest).code, '15')
  assert.equal(ask('KQ', '00', imported('209', first.imk_ac_hex), card, ...rest).code, '10')
  const [counters, , data, , arqc] = rest
  assert.ok(counters && data && arqc)
  assert.equal(ask('KQ', '00', imk, card, counters, '09', data, ';', arqc).code, '15')
  assert.equal(ask('KQ', '00', imk, card, counters, 'FF', data, ';', arqc).code, '80')
  assert.equal(ask('KQ', '00', imk, card, counters, '00', ';', arqc).code, '80')
})
