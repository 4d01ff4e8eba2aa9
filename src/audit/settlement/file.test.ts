import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from '#test/support/csv.ts'
import { SettlementFile, type SettlementRecord } from './file.ts'

const record = (changes: Partial<SettlementRecord>): SettlementRecord => ({
  type: 'CAPTURE',
  rrn: 'RRN',
  stan: '000001',
  transmitted: '1125120000',
  approval_code: 'ABC123',
  card_acceptor_id: 'M',
  terminal_id: 'T',
  amount: 10_050n,
  currency: 'AED',
  time: new Date('2026-11-25T12:00:00.000Z'),
  ...changes,
})

const written = (...records: SettlementRecord[]) => {
  const file = new SettlementFile({ acquirer_id: '60400000001', date: '2026-11-25' })
  const text = file.begin() + file.records(records) + file.end()
  const [head = [], ...lines] = parseCsv(text)
  return lines.map((line) =>
    Object.fromEntries(head.map((name, at) => [name, line[at]]).filter(([, cell]) => cell !== '')),
  )
}

test('a file has a header, its records, sums by currency and type, and a trailer', () => {
  const lines = written(
    record({}),
    record({ stan: '000002', type: 'REFUND', amount: 5n }),
    record({ stan: '000003', amount: 100n, currency: 'JPY' }),
    record({ stan: '000004', amount: 1_250n, currency: 'KWD' }),
    record({ stan: '000005', amount: 1n }),
  )
  const file = '60400000001-20261125'
  assert.deepEqual(lines[0], {
    record: 'HEADER',
    file,
    acquirer_id: '60400000001',
    date: '2026-11-25',
  })
  assert.deepEqual(lines[1], {
    record: 'RECORD',
    number: '1',
    type: 'CAPTURE',
    rrn: 'RRN',
    stan: '000001',
    transmitted: '1125120000',
    approval_code: 'ABC123',
    card_acceptor_id: 'M',
    terminal_id: 'T',
    amount: '100.50',
    currency: 'AED',
    time: '2026-11-25T12:00:00.000Z',
  })
  assert.deepEqual(
    lines.slice(2, 6).map(({ number, amount }) => [number, amount]),
    [
      ['2', '0.05'],
      ['3', '100'],
      ['4', '1.250'],
      ['5', '0.01'],
    ],
  )
  assert.deepEqual(lines.slice(6), [
    { record: 'SUM', type: 'CAPTURE', currency: 'AED', count: '2', amount: '100.51' },
    { record: 'SUM', type: 'REFUND', currency: 'AED', count: '1', amount: '0.05' },
    { record: 'SUM', type: 'CAPTURE', currency: 'JPY', count: '1', amount: '100' },
    { record: 'SUM', type: 'CAPTURE', currency: 'KWD', count: '1', amount: '1.250' },
    { record: 'TRAILER', file, count: '5' },
  ])
})

test('a day without records has a header and a trailer that counts none', () => {
  assert.deepEqual(
    written().map(({ record: name, count }) => [name, count]),
    [
      ['HEADER', undefined],
      ['TRAILER', '0'],
    ],
  )
})
