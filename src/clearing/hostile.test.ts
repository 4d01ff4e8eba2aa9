import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileOf, readAll } from '#test/support/clearing/files.ts'
import { type CharacterSet, textOf } from './characters.ts'
import { elements, LONGEST_RECORD } from './elements.ts'
import { objectOf, recordOf } from './json.ts'
import { type Reading, readClearing } from './reader.ts'
import type { ClearingRecord } from './record.ts'
import { RecordFault } from './writer.ts'

const FLIPS = process.env['TEST_DEEP'] === '1' ? 100_000 : 2_000
const samples = ['ipm_ascii', 'ipm_ebcdic_1014'].map((name) =>
  readFileSync(`test/vectors/clearing/${name}.bin`),
)

const faultsOf = (readings: readonly Reading[]) =>
  readings.flatMap((one) => ('reason' in one ? [one] : []))

test('a file that is cut at any byte is read up to a fault within the file', async () => {
  for (const whole of samples) {
    const records = await readAll(whole)
    for (let length = 0; length < whole.length; length += 1) {
      const found = await readAll(whole.subarray(0, length))
      const faults = faultsOf(found)
      // The fill of the last block is no part of the content.
      if (faults.length === 0) assert.ok(/^@+$/.test(whole.toString('latin1', length)))
      for (const { number, at, reason } of faults) {
        assert.ok(number >= 1 && number <= records.length + 1 && at >= 0 && at <= length, reason)
      }
    }
  }
})

test('a file with any bit changed gives records or named faults, and no other error', async () => {
  let seed = 1
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const sample = samples[flip % samples.length] ?? Buffer.alloc(0)
    const bytes = Buffer.from(sample)
    const at = next(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8))
    for (const reading of await readAll(bytes)) {
      if ('reason' in reading) assert.ok(reading.reason.length > 10 && reading.at <= bytes.length)
      else assert.ok(recordOf(objectOf(reading.record)).ok)
    }
  }
})

const minimal: ClearingRecord = {
  mti: '1644',
  elements: new Map([[24, '697']]),
  subelements: new Map(),
}

async function encoded(): Promise<Buffer> {
  return fileOf([minimal])
}

const wrong: [string, (file: Buffer) => Buffer, RegExp, number][] = [
  ['a length above any record', (file) => patched(file, 0, 'FFFFFFFF'), /4294967295 bytes/, 0],
  ['a length one too long', (file) => patched(file, 0, '00000018'), /./, 27],
  ['an MTI of letters', (file) => patched(file, 4, '41424344'), /neither ASCII nor EBCDIC/, 4],
  ['bit 1 off', (file) => patched(file, 8, '00'), /bit 1 is off/, 8],
  ['an unknown element', (file) => patched(file, 8, '81'), /DE8 is no element/, 8],
  ['an element that is missing', (file) => patched(file, 10, '00'), /bytes are left/, 24],
  ['an element too many', (file) => patched(file, 11, '40'), /DE26 ends behind/, 27],
  ['letters in digits', (file) => patched(file, 24, '41'), /DE24 has a character that is no/, 24],
  ['bytes behind the end', (file) => Buffer.concat([file, file]), /bytes are left behind/, 31],
  ['no length 0', (file) => file.subarray(0, -4), /without the length 0/, 27],
]

function patched(file: Buffer, at: number, hex: string): Buffer {
  const bytes = Buffer.from(file)
  bytes.write(hex, at, 'hex')
  return bytes
}

for (const [name, change, reason, at] of wrong) {
  test(`a file with ${name} is named with its byte`, async () => {
    const [fault] = faultsOf(await readAll(change(await encoded())))
    assert.match(fault?.reason ?? '', reason)
    assert.equal(fault?.at, at)
  })
}

test('a wrong record stops no other', async () => {
  const file = await fileOf([minimal, minimal, minimal])
  const size = (file.length - 4) / 3
  const found = await readAll(patched(file, size + 24, '41'))
  assert.deepEqual(
    found.map((one) => [one.number, one.at, 'record' in one]),
    [
      [1, 0, true],
      [2, size + 24, false],
      [3, 2 * size, true],
    ],
  )
})

test('a block that does not end with its two bytes is named', async () => {
  const [, blocked = Buffer.alloc(0)] = samples
  const fault = faultsOf(await readAll(patched(blocked, 2 * 1014 - 2, '00')))
  assert.deepEqual([fault.length, fault[0]?.at], [1, 2 * 1014 - 2])
  const fill = faultsOf(await readAll(patched(blocked, blocked.length - 3, '00')))
  assert.match(fill[0]?.reason ?? '', /filled with other bytes/)
})

/** Private subelements that fill the elements that hold them. */
const full = new Map(
  Array.from({ length: 5 }, (_, index) => [`100${index}`, 'x'.repeat(992)] as const),
)

test('a record of 6,000 bytes is read, its subelements over DE48, 62 and 123 to 125', async () => {
  const object = { MTI: '1240', DE72: 'y'.repeat(960), ...membersOf(full) }
  const made = recordOf(object)
  assert.ok(made.ok)
  assert.deepEqual([...made.record.elements.keys()], [72, 48, 62, 123, 124, 125])
  for (const blocked of [false, true]) {
    const file = await fileOf([made.record, made.record], { set: 'cp500', blocked })
    const [first, second] = await readAll(file)
    assert.ok(first && 'record' in first && second && 'record' in second)
    assert.deepEqual(first.record, second.record)
    assert.deepEqual(first.record.subelements, full)
  }
})

const membersOf = (tags: ReadonlyMap<string, string>) =>
  Object.fromEntries([...tags].map(([tag, value]) => [`PDS${tag}`, value]))

test('a subelement goes on from one element to the next', async () => {
  const text = `0148004784201590101234567890`
  const made = recordOf({ MTI: '1240', DE48: text.slice(0, 15), DE62: text.slice(15) })
  assert.ok(made.ok)
  assert.deepEqual(
    [...made.record.subelements],
    [
      ['0148', '7842'],
      ['0159', '1234567890'],
    ],
  )
  const [read] = await readAll(await fileOf([made.record]))
  assert.ok(read && 'record' in read)
  assert.deepEqual(objectOf(read.record), {
    MTI: '1240',
    DE48: text.slice(0, 15),
    PDS0148: '7842',
    PDS0159: '1234567890',
    DE62: text.slice(15),
  })
})

const refused: [string, unknown, RegExp][] = [
  ['a number', { MTI: '1240', DE4: 100 }, /DE4 is no text/],
  ['an unknown member', { MTI: '1240', DE7: '1' }, /"DE7" is no member/],
  ['no MTI', { DE24: '697' }, /MTI is missing/],
  ['an array', [], /one JSON object/],
  ['a subelement that differs', { MTI: '1644', DE48: '0122001P', PDS0122: 'T' }, /PDS0122/],
  ['a subelement too many', { MTI: '1644', DE48: '0122001P', PDS0105: 'T' }, /PDS0/],
  ['a subelement twice', { MTI: '1644', DE48: '0122001P0122001P' }, /twice/],
  ['a subelement that is too long', { MTI: '1644', PDS0122: 'x'.repeat(993) }, /at most 992/],
]
for (const [name, object, reason] of refused) {
  test(`an object with ${name} is no record`, () => {
    const read = recordOf(object)
    assert.ok(!read.ok)
    assert.match(read.reason, reason)
  })
}

test('a value that an element cannot hold is not written', async () => {
  const values: [number, string, RegExp][] = [
    [4, '1', /12 are wanted/],
    [4, '00000000000x', /no digit/],
    [43, 'x'.repeat(100), /at most 99/],
    [43, '€', /latin 1/],
    [55, '9f', /hex/],
  ]
  for (const [number, value, reason] of values) {
    const record = { ...minimal, elements: new Map([[number, value]]) }
    await assert.rejects(fileOf([record]), (error) => {
      assert.ok(error instanceof RecordFault)
      assert.match(error.message, reason)
      return true
    })
  }
})

const text = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length })
    .map((codes) => String.fromCharCode(...codes))
const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''))
const valueIn = (type: 'n' | 'text' | 'b', min: number, max: number) =>
  fc.integer({ min, max: Math.min(max, 300) }).chain((length) => {
    if (type === 'n') return digits(length)
    if (type === 'text') return text(length)
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase())
  })

const holders = [48, 62, 123, 124, 125]
const anyElement = fc
  .constantFrom(...elements.flatMap((one, number) => (one === undefined ? [] : [number])))
  .filter((number) => !holders.includes(number))
  .chain((number) => {
    const { type, min, max } = elements[number] ?? { type: 'n', min: 0, max: 0 }
    return fc.tuple(fc.constant(`DE${number}`), valueIn(type, min, max))
  })
const anySubelement = fc.tuple(
  digits(4).map((tag) => `PDS${tag}`),
  fc.integer({ min: 0, max: 400 }).chain(text),
)
const anyRecord = fc
  .tuple(
    digits(4),
    fc.array(anyElement, { maxLength: 12 }),
    fc.array(anySubelement, { maxLength: 8 }),
  )
  .map(([MTI, some, tags]) => ({ MTI, ...Object.fromEntries([...some, ...tags]) }))

test('any records are read as they were written, in each character set and form', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRecord, { maxLength: 6 }),
      fc.constantFrom<CharacterSet>('latin1', 'cp500', 'cp037'),
      fc.boolean(),
      async (objects, set, blocked) => {
        const records = objects.map((object) => {
          const read = recordOf(object)
          assert.ok(read.ok)
          return read.record
        })
        const bytes = await fileOf(records, { set, blocked })
        const ebcdic = set === 'cp037' ? set : 'cp500'
        const found = []
        for await (const one of readClearing([bytes], { size: bytes.length, ebcdic })) {
          assert.ok('record' in one, 'reason' in one ? one.reason : '')
          found.push(one.record)
        }
        for (const [index, record] of found.entries()) {
          const { DE48: _, DE62, DE123, DE124, DE125, ...shown } = objectOf(record)
          assert.deepEqual(shown, objects[index])
        }
        assert.ok((await fileOf(found, { set, blocked })).equals(bytes))
      },
    ),
    { numRuns: 100 },
  )
})

test('each character of a set has one byte, and each byte one character', () => {
  const every = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  for (const set of ['latin1', 'cp500', 'cp037'] as const) {
    assert.equal(new Set(textOf(every, set)).size, 256)
  }
  assert.equal(textOf(Buffer.from('4A4F5A5FB0BABB', 'hex'), 'cp500'), '[!]^¢¬|')
  assert.equal(textOf(Buffer.from('4A4F5A5FB0BABB', 'hex'), 'cp037'), '¢|!¬^[]')
})

test('the longest record that can be announced has every element in its longest form', () => {
  assert.ok(LONGEST_RECORD > 6_000 && LONGEST_RECORD < 16_000)
})

test('a file whose last block is full is read with and without a block of fill', async () => {
  const filler = (length: number): ClearingRecord => ({
    mti: '1644',
    elements: new Map([[72, 'x'.repeat(length)]]),
    subelements: new Map(),
  })
  // 4 + 20 + 3 bytes around the text, and the length 0 behind it.
  const file = await fileOf([filler(1012 - 31)], { set: 'latin1', blocked: true })
  assert.equal(file.length, 2 * 1014)
  for (const bytes of [file, file.subarray(0, 1014)]) {
    assert.equal(faultsOf(await readAll(bytes)).length, 0)
  }
})
