import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import vectors from '../../test/vectors/emv_arqc_arpc.json' with { type: 'json' }
import {
  arpcMethod1,
  arpcMethod2,
  type ChipCard,
  checkArqc,
  cryptogramData,
  issuerAuthentication,
} from './cryptogram.ts'
import { cardKey, commonSessionKey, mastercardSessionKey } from './keys.ts'
import { parseTlv, valuesByTag, writeTlv } from './tlv.ts'
import { versionOf, versions } from './versions.ts'

type Vector = (typeof vectors.vectors)[number]

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const upper = (buffer: Buffer) => buffer.toString('hex').toUpperCase()
const tdes = (hex: string) => new TdesKey(new Secret(bytes(hex)))

function tagsOf(vector: Vector): Map<string, Buffer> {
  const parsed = parseTlv(bytes(vector.de55_request_hex))
  assert.ok(parsed.ok)
  return valuesByTag(parsed.items)
}

const cardOf = (vector: Vector): ChipCard => ({
  imk_ac: tdes(vector.imk_ac_hex),
  pan: new Secret(vector.pan),
  psn: vector.psn,
})

/** The keys cannot be read back, so they are compared by their encryption of a block. */
function assertSameKey(key: TdesKey, hex: string): void {
  const probe = bytes('0123456789ABCDEF')
  assert.deepEqual(key.encrypt(probe), tdes(hex).encrypt(probe))
  assert.deepEqual(key.left.encrypt(probe), tdes(hex.slice(0, 16)).encrypt(probe))
}

for (const vector of vectors.vectors) {
  const tags = tagsOf(vector)
  const iad = bytes(vector.tags['9F10'])
  const name = versionOf(iad, tags.get('84'))

  test(`${vector.id}: the version is read from 9F10`, () => {
    assert.equal(name, vector.scheme.replace(/^(\w+)CVN/, '$1_CVN').toUpperCase())
    assert.equal(versionOf(iad), name)
  })

  test(`${vector.id}: keys and data are those of the vector`, () => {
    assert.ok(name)
    const version = versions[name]
    assert.equal(version.derivation, vector.icc_mk_derivation)
    const card = cardOf(vector)
    const own = cardKey(card.imk_ac, version.derivation, card.pan, vector.psn)
    assertSameKey(own, vector.icc_mk_ac_hex)
    const [atc, unpredictable] = [bytes(vector.tags['9F36']), bytes(vector.tags['9F37'])]
    const session = {
      none: own,
      common: commonSessionKey(own, atc),
      mastercard: mastercardSessionKey(own, atc, unpredictable),
    }[version.session]
    assertSameKey(session, vector.session_key_ac_hex)
    assert.equal(upper(cryptogramData(version, tags, iad)), vector.ac_input_hex)
  })

  test(`${vector.id}: the cryptogram is right and is answered`, () => {
    const checked = checkArqc(cardOf(vector), tags)
    assert.ok(checked.ok)
    assert.equal(checked.cryptogram.atc, Number.parseInt(vector.tags['9F36'], 16))
    const { arpc } = vector
    const value = issuerAuthentication(checked.cryptogram, {
      arc: bytes(arpc.arc_hex ?? '3030'),
      csu: bytes(arpc.csu_hex ?? '00000000'),
      proprietary: bytes(arpc.proprietary_auth_data_hex ?? ''),
    })
    assert.equal(upper(value), arpc.tag91_hex)
    assert.equal(upper(writeTlv([{ tag: '91', value }])), vector.de55_response_hex)
  })

  test(`${vector.id}: a wrong cryptogram is rejected`, () => {
    const wrong = new Map(tags).set('9F26', bytes(vector.wrong_arqc_hex))
    assert.deepEqual(checkArqc(cardOf(vector), wrong), { ok: false, fault: 'wrong' })
  })
}

const [first] = vectors.vectors
assert.ok(first)
const [card, tags] = [cardOf(first), tagsOf(first)]

test('another card, sequence number or amount makes the cryptogram wrong', () => {
  const wrong = { ok: false, fault: 'wrong' }
  assert.deepEqual(checkArqc({ ...card, pan: new Secret('4885829007025856') }, tags), wrong)
  assert.deepEqual(checkArqc(card, new Map(tags).set('5F34', bytes('02'))), wrong)
  assert.deepEqual(checkArqc(card, new Map(tags).set('9F02', bytes('000000001001'))), wrong)
})

test('without 5F34 the sequence number of the card is used', () => {
  const without = new Map(tags)
  without.delete('5F34')
  assert.ok(checkArqc(card, without).ok)
  assert.ok(!checkArqc({ ...card, psn: '02' }, without).ok)
})

test('a missing or misshapen field is malformed', () => {
  const needed = '9F26 9F10 9F02 9F03 9F1A 95 5F2A 9A 9C 9F37 82 9F36'
  for (const tag of needed.split(' ')) {
    const without = new Map(tags)
    without.delete(tag)
    assert.deepEqual(checkArqc(card, without), { ok: false, fault: 'malformed' }, tag)
    const longer = Buffer.concat([tags.get(tag) ?? Buffer.alloc(0), Buffer.alloc(40)])
    assert.ok(!checkArqc(card, new Map(tags).set(tag, longer)).ok, tag)
  }
  for (const psn of ['', 'AB', '0101']) {
    assert.ok(!checkArqc(card, new Map(tags).set('5F34', bytes(psn))).ok)
  }
})

// issuer application data, application, version
const layouts: [string, string, string | undefined][] = [
  ['06010A03A00000', '', 'VISA_CVN10'],
  ['06010A03A000', '', undefined],
  ['06010B03A00000', '', undefined],
  ['06011203A00000', '', 'VISA_CVN18'],
  [`1F2201${'00'.repeat(29)}`, '', 'VISA_CVN22'],
  [`1F2201${'00'.repeat(28)}`, '', undefined],
  ['0110A54003220000', '', 'MASTERCARD_CVN16'],
  ['0110A540032200', '', undefined],
  [`0111${'00'.repeat(16)}`, '', 'MASTERCARD_CVN17'],
  [`0111${'00'.repeat(15)}`, '', undefined],
  [`0115${'00'.repeat(30)}`, '', 'MASTERCARD_CVN21'],
  [`0115${'00'.repeat(31)}`, '', undefined],
  [`06100A${'00'.repeat(15)}`, 'A0000000041010', 'MASTERCARD_CVN16'],
  [`06100A${'00'.repeat(15)}`, 'A0000000031010', 'VISA_CVN10'],
  ['', '', undefined],
]

for (const [iad, application, name] of layouts) {
  test(`issuer application data ${iad.slice(0, 16)} … is of ${name ?? 'none'}`, () => {
    assert.equal(versionOf(bytes(iad), bytes(application)), name)
  })
}

test('an unknown version is distinguished from a wrong cryptogram', () => {
  const unknown = new Map(tags).set('9F10', bytes('06010C03C920A3'))
  assert.deepEqual(checkArqc(card, unknown), { ok: false, fault: 'unknown_version' })
})

test('no data element 55 makes the check throw', () => {
  const value = fc.uint8Array({ maxLength: 34 }).map((array) => Buffer.from(array))
  const names = fc.constantFrom(...tags.keys())
  fc.assert(
    fc.property(fc.array(fc.tuple(names, value), { minLength: 1, maxLength: 4 }), (changes) => {
      const hostile = new Map([...tags, ...changes])
      const checked = checkArqc(card, hostile)
      if (checked.ok) assert.ok(checked.cryptogram.arqc.equals(tags.get('9F26') ?? Buffer.alloc(0)))
    }),
  )
})

test('answers and keys of another shape are rejected', () => {
  const key = tdes(first.icc_mk_ac_hex)
  const arqc = bytes(first.arqc_hex)
  assert.throws(() => arpcMethod1(key, arqc, Buffer.alloc(3)), RangeError)
  assert.throws(() => arpcMethod2(key, arqc, Buffer.alloc(3), Buffer.alloc(0)), RangeError)
  assert.throws(() => arpcMethod2(key, arqc, Buffer.alloc(4), Buffer.alloc(9)), RangeError)
  assert.throws(() => cardKey(key, 'A', new Secret('4'), '00'), TypeError)
  assert.throws(() => cardKey(key, 'A', card.pan, '0'), TypeError)
})
