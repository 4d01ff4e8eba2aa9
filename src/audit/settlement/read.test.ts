/** The contents that are read from a settlement file, and those that are refused. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SettlementFile, type SettlementRecord } from './file.ts'
import { FileRefused } from './lines.ts'
import { type Claim, type Facts, readSettlement } from './read.ts'

const ACQUIRER = '60400000001'
const record = (changes: Partial<SettlementRecord>): SettlementRecord => ({
  type: 'CAPTURE',
  rrn: 'ABCDEFGH0001',
  stan: '000001',
  transmitted: '1125120000',
  approval_code: 'ABC123',
  card_acceptor_id: '123456789012345',
  terminal_id: '12345678',
  amount: 10_050n,
  currency: 'AED',
  time: new Date('2026-11-25T12:00:00.000Z'),
  ...changes,
})
const RECORDS = [
  record({}),
  record({ stan: '000002', type: 'REFUND', amount: 5n }),
  record({ stan: '000003', amount: 100n, currency: 'JPY', approval_code: '' }),
  record({ stan: '000004', amount: 1_250n, currency: 'KWD' }),
]

function written(records: readonly SettlementRecord[] = RECORDS): string {
  const file = new SettlementFile({ acquirer_id: ACQUIRER, date: '2026-11-25' })
  return file.begin() + file.records(records) + file.end()
}

async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string | Buffer, { size = 64, portion = 3 } = {}) {
  const claims: Claim[] = []
  const reading = readSettlement(chunksOf(Buffer.from(text), size), ACQUIRER, portion)
  for (;;) {
    const { done, value } = await reading.next()
    if (done) return { claims, facts: value satisfies Facts }
    assert.ok(value.length <= portion)
    claims.push(...value)
  }
}

const refusal = async (text: string | Buffer): Promise<string> => {
  try {
    await read(text)
  } catch (error) {
    if (error instanceof FileRefused) return error.message
    throw error
  }
  return 'accepted'
}

test('a file is read as it was written, however its bytes arrive', async () => {
  for (const size of [1, 7, 64, 100_000]) {
    const { claims, facts } = await read(written(), { size })
    assert.deepEqual(
      claims,
      RECORDS.map((one, at) => ({ ...one, number: at + 1 })),
    )
    const { sums, ...head } = facts
    assert.deepEqual(head, { file: `${ACQUIRER}-20261125`, date: '2026-11-25', records: 4 })
    assert.deepEqual(
      sums.map(({ type, currency, count, amount }) => [type, currency, count, amount]),
      [
        ['CAPTURE', 'AED', 1, 10_050n],
        ['REFUND', 'AED', 1, 5n],
        ['CAPTURE', 'JPY', 1, 100n],
        ['CAPTURE', 'KWD', 1, 1_250n],
      ],
    )
  }
})

test('a day without records is a whole file', async () => {
  const { claims, facts } = await read(written([]))
  assert.deepEqual([claims, facts.records, facts.sums], [[], 0, []])
})

test('sums with more digits than an amount may have are read to the last one', async () => {
  const largest = record({ amount: 999_999_999_999n, currency: 'IDR' })
  const { facts } = await read(written(Array.from({ length: 1_002 }, () => largest)), {
    size: 65_536,
    portion: 2_000,
  })
  const [sum] = facts.sums
  assert.deepEqual([sum?.count, sum?.amount], [1_002, 1_001_999_999_998_998n])
})

describe('a file is refused', () => {
  const lines = written().split('\r\n').slice(0, -1)
  const joined = (some: readonly string[]) => some.map((line) => `${line}\r\n`).join('')
  /** The file with line `number` replaced, removed or followed by others. */
  const changed = (number: number, ...by: string[]) => joined(lines.toSpliced(number - 1, 1, ...by))
  const line = (number: number) => lines[number - 1] ?? ''
  const edited = (number: number, from: string, to: string) => {
    assert.ok(line(number).includes(from))
    return changed(number, line(number).replace(from, to))
  }
  const LAST = lines.length

  const cases: [what: string, text: string | Buffer, sentence: RegExp][] = [
    ['that is empty', '', /^the file has no TRAILER/],
    ['without a HEADER', joined([line(1), ...lines.slice(2)]), /^line 2 is a RECORD in the wrong/],
    ['with another first line', edited(1, 'record', 'kind'), /^line 1 has not the names of/],
    ['in UTF-16', Buffer.from(written(), 'utf16le'), /^line 1 does not end with CR LF/],
    ['with a byte order mark', `\ufeff${written()}`, /^line 1 has a byte that is no printable/],
    ['with letters of another script', edited(3, 'ABC123', 'АВС123'), /^line 3 has a byte/],
    ['with a NUL', edited(3, 'ABC123', 'ABC\u0000123'), /^line 3 has a byte/],
    ['with an escape sequence', edited(3, 'ABC123', '\u001b[2J'), /^line 3 has a byte/],
    ['with ends of lines of Unix', written().replaceAll('\r\n', '\n'), /^line 1 does not end with/],
    ['with a long line', changed(3, 'x'.repeat(1_200)), /^line 3 is longer than 1000 bytes/],
    ['with one line of a megabyte', 'x'.repeat(1e6), /^line 1 is longer than 1000 bytes/],
    ['that is cut in a line', written().slice(0, -1), /^line 11 does not end with CR LF: the file/],
    ['that is cut between lines', joined(lines.slice(0, 5)), /^the file has no TRAILER/],
    ['that is there twice', written() + written(), /^line 12 follows the TRAILER/],
    [
      'with a second HEADER',
      changed(3, line(2), line(3)),
      /^line 3 is a HEADER in the wrong place/,
    ],
    ['of another acquirer', edited(2, ACQUIRER, '60400000002'), /another acquirer or day$/],
    [
      'of another acquirer throughout',
      written().replaceAll(ACQUIRER, '60400000002'),
      /^line 2 is of the acquirer 60400000002, and not of 60400000001$/,
    ],
    ['with a name of another day', edited(2, '20261125', '20261126'), /another acquirer or day$/],
    ['with a day that is none', edited(2, '2026-11-25', '2026-02-30'), /^line 2 has a wrong date/],
    ['with a number left out', changed(3), /^line 3 has not the number 1$/],
    ['with a number twice', changed(3, line(3), line(3)), /^line 4 has not the number 2$/],
    ['with records in another order', changed(3, line(4), line(3)), /^line 3 has not the number 1/],
    ['with a kind that is none', edited(3, 'RECORD', 'NOTE'), /^line 3 is neither HEADER/],
    ['with too few cells', edited(3, ',', ''), /^line 3 has 15 cells, and the file has 16 columns/],
    ['with a quoted cell', edited(3, 'ABC123', '"ABC"'), /^line 3 has a quotation mark/],
    [
      'with a cell that is not of its kind',
      edited(LAST, ',', ',7'),
      /^line 11 is a TRAILER and has/,
    ],
    ['with a type that is none', edited(3, 'CAPTURE', 'PAYMENT'), /^line 3 has a wrong type$/],
    ['with a short reference', edited(3, 'ABCDEFGH0001', 'ABC'), /^line 3 has a wrong rrn$/],
    ['with a formula', edited(3, 'ABCDEFGH0001', '=1+cmd|A0001'), /^line 3 has a wrong rrn$/],
    ['with a negative amount', edited(3, '100.50', '-100.50'), /^line 3 has a wrong amount$/],
    ['with an amount of nothing', edited(3, '100.50', '0.00'), /^line 3 has a wrong amount$/],
    ['with too few decimals', edited(3, '100.50', '100.5'), /^line 3 has a wrong amount$/],
    ['with an exponent', edited(3, '100.50', '1e2'), /^line 3 has a wrong amount$/],
    [
      'with a huge amount',
      edited(3, '100.50', `${'9'.repeat(400)}.00`),
      /^line 3 has a wrong amount/,
    ],
    ['with a currency that is none', edited(3, 'AED', 'AEX'), /^line 3 has a wrong currency$/],
    [
      'with a time of another day',
      edited(3, '2026-11-25T', '2026-11-26T'),
      /a time of another day/,
    ],
    ['with a time that is none', edited(3, 'T12:00', 'T25:00'), /^line 3 has a wrong time$/],
    ['with another sum', edited(7, '100.50', '100.51'), /^line 7 sums to 100\.51, and the records/],
    ['with a sum of letters', edited(7, '100.50', '100.5O'), /^line 7 has a wrong amount$/],
    ['with a huge sum', edited(7, '100.50', '9'.repeat(400)), /^line 7 has a wrong amount$/],
    ['with another count', edited(7, ',1,', ',2,'), /^line 7 counts 2 records, and the file has 1/],
    ['without a SUM', changed(7), /^line 10 comes before the SUM of AED CAPTURE$/],
    [
      'with a SUM twice',
      changed(7, line(7), line(7)),
      /^line 8 is the SUM of no records, or a sec/,
    ],
    ['with a record after a SUM', changed(7, line(7), line(3)), /^line 8 is a RECORD in the wrong/],
    ['with another count at its end', edited(LAST, ',4,', ',5,'), /^line 11 counts 5 records, and/],
    ['with another amount', edited(3, '100.50', '100.51'), /^line 7 sums to 100\.50, and the rec/],
  ]
  for (const [what, text, sentence] of cases) {
    test(what, async () => assert.match(await refusal(text), sentence))
  }
})

test('no change of bytes or lines breaks the reader, and what it accepts adds up', async () => {
  const whole = Buffer.from(written())
  const at = fc.nat(whole.length - 1)
  const change = fc.oneof(
    fc.record({ kind: fc.constant('flip'), at, by: fc.integer({ min: 1, max: 255 }) }),
    fc.record({ kind: fc.constant('cut'), at, by: fc.nat(80) }),
    fc.record({ kind: fc.constant('repeat'), at, by: fc.nat(400) }),
    fc.record({ kind: fc.constant('digit'), at, by: fc.integer({ min: 0x30, max: 0x39 }) }),
  )
  const applied = (
    bytes: Buffer,
    { kind, at: from, by }: { kind: string; at: number; by: number },
  ) => {
    const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)]
    if (kind === 'cut') return Buffer.concat([before, after.subarray(by)])
    if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, by), after])
    const copy = Buffer.from(bytes)
    copy[from] = kind === 'digit' ? by : (copy[from] ?? 0) ^ by
    return copy
  }
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const bytes = changes.reduce(applied, whole)
      const { claims, facts } = await read(bytes).catch((error: unknown) => {
        if (error instanceof FileRefused && /^[ -~]{1,300}$/.test(error.message)) {
          return { claims: [], facts: undefined }
        }
        throw error
      })
      if (!facts) return
      assert.equal(claims.length, facts.records)
      const total = claims.reduce((sum, { amount }) => sum + amount, 0n)
      assert.equal(
        facts.sums.reduce((sum, { amount }) => sum + amount, 0n),
        total,
      )
    }),
    { numRuns: 2_000 },
  )
})
