import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  convert,
  divideHalfEven,
  formatAmount,
  formatFixed,
  formatTenThousandths,
  isRate,
  parseAmount,
  parseDecimal4,
  parseShown4,
} from './money.ts'

const accepted: [number | string, string, bigint][] = [
  [100.5, 'AED', 10050n],
  ['100.5', 'AED', 10050n],
  ['100.50', 'AED', 10050n],
  [0, 'AED', 0n],
  [-0, 'AED', 0n],
  [0.1, 'AED', 10n],
  [1.005, 'KWD', 1005n],
  [500, 'JPY', 500n],
  ['0.01', 'AED', 1n],
  [1e2, 'AED', 10000n],
  [999999999999999, 'JPY', 999999999999999n],
  [9999999999999.99, 'AED', 999999999999999n],
  ['9999999999999.99', 'AED', 999999999999999n],
  ['100000000000000.0', 'AED', 10000000000000000n],
]

for (const [value, currency, minor] of accepted) {
  test(`${JSON.stringify(value)} ${currency} is ${minor} minor units`, () => {
    assert.deepEqual(parseAmount(value, currency), { ok: true, minor })
  })
}

const refused: [number | string, string, RegExp][] = [
  [100.555, 'AED', /more decimals than AED \(2\)/],
  [1.5, 'JPY', /more decimals than JPY \(0\)/],
  ['1.000', 'AED', /more decimals/],
  [1.0001, 'KWD', /more decimals/],
  [0.1 + 0.2, 'AED', /at most 15 digits/],
  [1e-7, 'AED', /more decimals/],
  [5e-324, 'AED', /more decimals/],
  [-1, 'AED', /negative/],
  ['-1', 'AED', /negative/],
  [Number.NaN, 'AED', /finite/],
  [Number.POSITIVE_INFINITY, 'AED', /finite/],
  [Number.NEGATIVE_INFINITY, 'AED', /finite/],
  [1e15, 'AED', /at most 15 digits/],
  [1e21, 'AED', /at most 15 digits/],
  [Number.MAX_VALUE, 'AED', /at most 15 digits/],
  [99999999999999.98, 'AED', /at most 15 digits/],
  ['1000000000000000', 'AED', /at most 15 digits/],
  ['9'.repeat(100_000), 'AED', /at most 15 digits/],
  ['1e2', 'AED', /decimal number/],
  ['', 'AED', /decimal number/],
  [' 1', 'AED', /decimal number/],
  ['1 ', 'AED', /decimal number/],
  ['1\n', 'AED', /decimal number/],
  ['+1', 'AED', /decimal number/],
  ['.5', 'AED', /decimal number/],
  ['5.', 'AED', /decimal number/],
  ['007', 'AED', /decimal number/],
  ['1,5', 'AED', /decimal number/],
  ['0x10', 'AED', /decimal number/],
  ['NaN', 'AED', /decimal number/],
  ['١٢', 'AED', /decimal number/],
]

for (const [value, currency, why] of refused) {
  test(`${String(value).slice(0, 24).trim() || 'nothing'} ${currency} is rejected: ${why}`, () => {
    const read = parseAmount(value, currency)
    assert.ok(!read.ok)
    assert.match(read.message, why)
  })
}

const currency = fc.constantFrom('JPY', 'AED', 'KWD', 'CLF')

test('an amount survives the journey to JSON and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), currency, (minor, code) => {
      const json: unknown = JSON.parse(JSON.stringify(formatAmount(minor, code)))
      assert.ok(typeof json === 'number')
      assert.deepEqual(parseAmount(json, code), { ok: true, minor })
    }),
  )
})

test('no number or text makes the reading of an amount throw', () => {
  const anything = fc.oneof(fc.double(), fc.string(), fc.stringMatching(/^[-+.e0-9]{0,30}$/))
  fc.assert(
    fc.property(anything, currency, (value, code) => {
      const read = parseAmount(value, code)
      if (read.ok) assert.ok(read.minor >= 0n)
      parseDecimal4(value, code)
    }),
  )
})

test('amounts are written in major units', () => {
  assert.equal(formatAmount(10050n, 'AED'), 100.5)
  assert.equal(formatAmount(-5n, 'AED'), -0.05)
  assert.equal(formatAmount(500n, 'JPY'), 500)
  assert.equal(formatFixed(10000n, 'AED', 4), '100.0000')
  assert.equal(formatFixed(-5n, 'KWD', 4), '-0.0050')
  assert.equal(formatFixed(7n, 'JPY', 0), '7')
  assert.throws(() => formatFixed(1n, 'KWD', 2), RangeError)
})

// given, currency, ten thousandths, minor units
const merchantAmounts: [number | string, string, bigint, bigint][] = [
  [100, 'AED', 1000000n, 10000n],
  ['100.0000', 'AED', 1000000n, 10000n],
  ['100.1250', 'AED', 1001250n, 10012n],
  ['100.1350', 'AED', 1001350n, 10014n],
  ['100.1251', 'AED', 1001251n, 10013n],
  ['0.5', 'JPY', 5000n, 0n],
  ['1.5', 'JPY', 15000n, 2n],
  ['0.0005', 'KWD', 5n, 0n],
  ['0.0015', 'KWD', 15n, 2n],
  ['0.0001', 'CLF', 1n, 1n],
]

for (const [value, code, units, minor] of merchantAmounts) {
  test(`a merchant's ${JSON.stringify(value)} ${code} moves ${minor} minor units`, () => {
    assert.deepEqual(parseDecimal4(value, code), { ok: true, ten_thousandths: units, minor })
  })
}

test('a merchant amount of five decimals is rejected, and four are written back', () => {
  assert.deepEqual(parseDecimal4('1.00001', 'AED'), {
    ok: false,
    message: 'has more than four decimals',
  })
  assert.equal(formatTenThousandths(1001250n), '100.1250')
  assert.equal(formatTenThousandths(0n), '0.0000')
})

// minor units, from, to, rate, result
const conversions: [bigint, string, string, string, bigint][] = [
  [10000n, 'USD', 'AED', '3.6725', 36725n],
  [36725n, 'AED', 'USD', '1/3.6725', 10000n],
  [100n, 'USD', 'JPY', '150.5', 150n],
  [100n, 'USD', 'JPY', '151.5', 152n],
  [1n, 'JPY', 'KWD', '0.0005', 0n],
  [3n, 'JPY', 'KWD', '0.0005', 2n],
  [1000n, 'KWD', 'AED', '12', 1200n],
  [-100n, 'USD', 'JPY', '1.5', -2n],
  [300n, 'USD', 'AED', '1/3', 100n],
]

for (const [minor, from, to, rate, result] of conversions) {
  test(`${minor} ${from} at ${rate} are ${result} ${to}`, () => {
    assert.equal(convert(minor, from, to, rate), result)
  })
}

test('a rate is positive and plain', () => {
  for (const rate of ['1', '0.000001', '3.6725', '1/3']) assert.ok(isRate(rate), rate)
  for (const rate of ['', '0', '-1', '1/0', '0/1', '1/2/3', '1e3', '/', '1/', 'x']) {
    assert.ok(!isRate(rate), rate)
    assert.throws(() => convert(1n, 'USD', 'AED', rate), TypeError)
  }
})

test('half-even division is never further than half a unit away', () => {
  const dividend = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(dividend, fc.bigInt({ min: 1n, max: 10n ** 9n }), (number, divisor) => {
      const away = 2n * (divideHalfEven(number, divisor) * divisor - number)
      assert.ok(away <= divisor && away >= -divisor)
      if (away === divisor || away === -divisor) {
        assert.equal(divideHalfEven(number, divisor) % 2n, 0n)
      }
    }),
  )
})

describe('parseShown4', () => {
  const taken: [value: number | string, units: bigint][] = [
    [9.52381, 95_238n],
    [9.900000000000006, 99_000n],
    [4.761905, 47_619n],
    ['4.761904761904761904', 47_619n],
    [0.30000000000000004, 3_000n],
    ['10.000000', 100_000n],
    [0.00005, 0n],
    [0.00015, 2n],
    ['0.00025000', 2n],
    ['0.000250001', 3n],
    [1e-7, 0n],
    [1.5e-7, 0n],
    [5e-324, 0n],
    [-1.4210854715202004e-14, 0n],
    [-0, 0n],
    ['-0.00', 0n],
    [1e10, 100_000_000_000_000n],
    ['99999999999.99994', 999_999_999_999_999n],
  ]
  for (const [value, units] of taken) {
    test(`${typeof value} ${value} is ${units} ten-thousandths`, () => {
      assert.deepEqual(parseShown4(value), { ok: true, units })
    })
  }

  const refused: (number | string)[] = [
    ...[-1, -0.0001, 1e11, 1e22, Number.NaN, Number.POSITIVE_INFINITY],
    ...['', ' ', ' 1', '1 ', '+1', '1e2', '1,5', '.5', '5.', '01', '0x10', '1_0', '-1', '--1'],
    ...['99999999999.99996', '9'.repeat(40), `1.${'0'.repeat(500)}`, '\u0661'],
  ]
  for (const value of refused) {
    test(`rejects ${typeof value} ${JSON.stringify(value).slice(0, 30)}`, () => {
      assert.equal(parseShown4(value).ok, false)
    })
  }
})

describe('parseDecimal4 of zeros behind the fourth decimal', () => {
  test('takes them for nothing', () => {
    for (const text of ['10.000000', '10.0000', '10.00000000000000000000']) {
      const read = parseDecimal4(text, 'AED')
      assert.deepEqual(read, { ok: true, ten_thousandths: 100_000n, minor: 1_000n }, text)
    }
    assert.equal(parseDecimal4('10.000010', 'AED').ok, false)
    assert.equal(parseDecimal4(94.489999999999995, 'AED').ok, true)
    assert.equal(parseDecimal4(0.30000000000000004, 'AED').ok, false)
  })
})
