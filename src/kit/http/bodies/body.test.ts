import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadBody, parseJson, readJson } from './body.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('parseJson', () => {
  test('no bytes are no body', () => {
    assert.equal(parse(''), undefined)
  })

  const taken: [text: string, value: unknown][] = [
    ['0', 0],
    ['-1.50', -1.5],
    ['123456789012345', 123456789012345],
    ['0.000000000000001', 1e-15],
    ['1e15', 1e15],
    ['1e-10', 1e-10],
    ['0e-400', 0],
    ['0.0', 0],
    ['"1e-400"', '1e-400'],
    ['"12345678901234567890"', '12345678901234567890'],
    ['100000000000000000000', undefined],
    ['1234567890.1234567', undefined],
    ['1e-400', undefined],
    ['-1e400', undefined],
  ]
  for (const [text, value] of taken) {
    test(`${text} ${value === undefined ? 'would change and is rejected' : 'is exact'}`, () => {
      if (value === undefined) assert.throws(() => parse(text), BadBody)
      else assert.equal(parse(text), value)
    })
  }

  test('accepts 32 levels and rejects 33, counting brackets outside of strings only', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    assert.ok(parse(nested(32)))
    assert.throws(() => parse(nested(33)), /nests deeper/)
    assert.equal(parse(`"${'['.repeat(1000)}"`), '['.repeat(1000))
    assert.equal(parse(`"\\"${'['.repeat(1000)}"`), `"${'['.repeat(1000)}`)
  })

  test('accepts 20,000 values and rejects more', () => {
    const list = (length: number) => `[${Array(length).fill(0)}]`
    assert.ok(parse(list(19_999)))
    assert.throws(() => parse(list(20_001)), BadBody)
  })

  test('messages quote nothing of the body', () => {
    for (const text of ['{"pan":"4000123412341234"', '{"secret\\u0000":1}', '["\\ud800 4111"]']) {
      assert.throws(
        () => parse(text),
        (error) => error instanceof BadBody && !/4000|4111|secret/.test(error.message),
      )
    }
  })
})

describe('readJson', () => {
  test('names each member whose value cannot be stored, at its path', () => {
    const text = '{"a":"x\\u0000","b":[1,{"c":"\\ud800","d":1e400}],"e":-1e400,"f":"fine"}'
    const { faults } = readJson(Buffer.from(text))
    const unclean = 'must not contain U+0000 or a lone surrogate'
    assert.deepEqual(Object.fromEntries(faults.map(({ path, message }) => [path, message])), {
      a: unclean,
      'b.1.c': unclean,
      'b.1.d': 'is out of range',
      e: 'is out of range',
    })
  })

  test('names a body that is such a value itself', () => {
    for (const text of ['"\\u0000"', '1e400']) {
      assert.deepEqual(
        readJson(Buffer.from(text)).faults.map(({ path }) => path),
        [''],
      )
    }
  })

  test('takes a numeral of 64 characters as a name, and of a longer one names that bound', () => {
    const read = (length: number) =>
      readJson(Buffer.from(`{"reference":${'1'.repeat(length)}}`), { exact: ['reference'] })
    assert.deepEqual(read(64), { value: { reference: '1'.repeat(64) }, faults: [] })
    assert.deepEqual(read(65).faults, [
      { path: 'reference', message: 'is a number of more than 64 characters' },
    ])
  })
})

describe('readJson of what shops have computed', () => {
  const read = (text: string) => readJson(Buffer.from(text), { shortest: true })
  const numbers: [text: string, value: number][] = [
    ['94.489999999999995', 94.49],
    ['0.30000000000000004', 0.30000000000000004],
    ['10.0000000000000000000', 10],
    ['9.52380952380952372e0', 9.523809523809524],
    ['1e-400', 0],
  ]
  for (const [text, value] of numbers) {
    test(`takes ${text} for its shortest text`, () => {
      assert.deepEqual(read(text), { value, faults: [] })
    })
  }

  test('still names a whole number whose digits would change', () => {
    for (const text of ['1234567890123456789', '-1e400']) {
      assert.equal(read(text).faults.length, 1, text)
    }
  })
})
