import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import tlvVectors from '../../test/vectors/emv_tlv.json' with { type: 'json' }
import { parseTlv, type Tlv, valuesByTag, writeTlv } from './tlv.ts'

type Tree = { [tag: string]: string | Tree }

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const upper = (buffer: Buffer) => buffer.toString('hex').toUpperCase()

const treeOf = (items: readonly Tlv[]): Tree =>
  Object.fromEntries(
    items.map((item) => [item.tag, 'items' in item ? treeOf(item.items) : upper(item.value)]),
  )

for (const vector of tlvVectors.vectors) {
  test(`${vector.id}: is read, flattened and written back`, () => {
    const parsed = parseTlv(bytes(vector.hex))
    assert.ok(parsed.ok)
    assert.deepEqual(treeOf(parsed.items), vector.decoded)
    const flat = [...valuesByTag(parsed.items)].map(([tag, value]) => [tag, upper(value)])
    assert.deepEqual(Object.fromEntries(flat), vector.flat)
    assert.equal(upper(writeTlv(parsed.items)), vector.hex)
  })
}

for (const vector of tlvVectors.decode_errors) {
  test(`${vector.id}: ${vector.description} is a fault`, () => {
    assert.ok(!parseTlv(bytes(vector.hex)).ok)
  })
}

// what, bytes, offset of the fault
const broken: [string, string, number][] = [
  ['a tag alone', '9F26', 2],
  ['a tag that goes on past the end', '9F', 0],
  ['a tag of five bytes', '9F8182838401AA', 0],
  ['a length that is cut off', '9F268201', 2],
  ['an indefinite length', '7080820219800000', 1],
  ['a length of three bytes', '8283000001AA', 1],
  ['a value that is cut off', '8204AABB', 2],
  ['a template whose item runs over', 'E0059F0208112233', 5],
  ['a broken item behind a sound one', '8202198095', 5],
  ['templates nine deep', 'E010E00EE00CE00AE008E006E004E002E000', 16],
]

for (const [what, hex, offset] of broken) {
  test(`${what} is a fault at byte ${offset}`, () => {
    const parsed = parseTlv(bytes(hex))
    assert.ok(!parsed.ok)
    assert.equal(parsed.offset, offset)
  })
}

test('more bytes than any chip sends are a fault', () => {
  assert.ok(!parseTlv(Buffer.alloc(4097)).ok)
})

test('zero bytes between items have no meaning', () => {
  const parsed = parseTlv(bytes('000082021980000095050000008000E0050000950100'.concat('00')))
  assert.ok(parsed.ok)
  assert.deepEqual(treeOf(parsed.items), { '82': '1980', '95': '0000008000', E0: { '95': '00' } })
})

test('no bytes make the reading throw, and what is read is written and read the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (array) => {
      const parsed = parseTlv(Buffer.from(array))
      if (!parsed.ok) return
      const again = parseTlv(writeTlv(parsed.items))
      assert.ok(again.ok)
      assert.deepEqual(again.items, parsed.items)
    }),
    { numRuns: 2000 },
  )
})

const plain = { noNullPrototype: true }
const primitive: fc.Arbitrary<Tlv> = fc.record(
  {
    tag: fc.constantFrom('82', '95', '9F26', '5F2A', 'DF8101', '9F8102'),
    value: fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
  },
  plain,
)
const template: fc.Arbitrary<Tlv> = fc.record(
  {
    tag: fc.constantFrom('70', 'E0', 'BF0C'),
    items: fc.array(primitive, { maxLength: 3 }),
  },
  plain,
)

test('every tree survives the journey', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(primitive, template), { maxLength: 2 }), (items) => {
      const parsed = parseTlv(writeTlv(items))
      assert.ok(parsed.ok)
      assert.deepEqual(parsed.items, items)
    }),
  )
})

test('what is no tag is not written', () => {
  for (const tag of ['', '0', '00', '9f26', '9F', '8226', '9F8126FF', '70', '9F81828304', 'XY']) {
    assert.throws(() => writeTlv([{ tag, value: Buffer.alloc(1) }]), TypeError, tag)
  }
  assert.throws(() => writeTlv([{ tag: '82', items: [] }]), TypeError)
  assert.throws(() => writeTlv([{ tag: '82', value: Buffer.alloc(0x10000) }]), RangeError)
})
