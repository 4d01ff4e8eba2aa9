/** The forms of a file of orders and of its answers. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { linesOf } from '../answers/lines.ts'
import { CSV, type Layout, LayoutFault, layoutOf, lineOf } from './layout.ts'

const ID = '01a223c2-d0df-7580-8ae8-6b78ef5913d1'

function layout(document: object): Layout {
  const read = layoutOf(JSON.stringify(document))
  assert.ok('layout' in read, JSON.stringify(read))
  return read.layout
}

describe('a line', () => {
  test('of fixed widths is filled, aligned, and cut where it is a name', () => {
    const fixed = layout({
      form: 'FIXED',
      line_end: 'CRLF',
      record: [
        { text: 'D' },
        { field: 'pan', width: 6 },
        { field: 'expiry', width: 6, align: 'right', fill: '0' },
        { field: 'name', width: 4 },
      ],
    })
    const line = lineOf(fixed, fixed.record, { pan: '4000', expiry: '2911', name: 'AISHA' })
    assert.equal(line.toString(), 'D4000  002911AISH\r\n')
  })

  test('whose number is wider than its column is a fault that does not repeat it', () => {
    const fixed = layout({ form: 'FIXED', record: [{ field: 'pan', width: 3 }] })
    assert.throws(
      () => lineOf(fixed, fixed.record, { pan: '4000' }),
      (error) => error instanceof LayoutFault && !error.message.includes('4000'),
    )
  })

  test('is in the letters of its character set', () => {
    const texts = { name: 'Łódź Größe ليلى' }
    const of = (character_set: string) => {
      const form = { form: 'SEPARATED', character_set, record: [{ field: 'name' }] }
      return lineOf(layout(form), layout(form).record, texts)
    }
    assert.equal(of('UTF-8').toString('utf8'), 'Łódź Größe ليلى\n')
    assert.match(of('ISO-8859-1').toString('latin1'), /^Lódz Größe [A-Za-z']+\n$/)
    assert.match(of('US-ASCII').toString('latin1'), /^Lodz Gro(?:ss|s)e [A-Za-z']+\n$/)
  })

  test('quotes what would end a cell, or has no such character where quotes are off', () => {
    const cells = { name: 'A "B", C', city: 'x\r\ny' }
    const columns = [{ field: 'name' }, { field: 'city' }]
    assert.equal(lineOf(CSV, columns, cells).toString(), '"A ""B"", C",x y\n')
    const plain = layout({
      form: 'SEPARATED',
      separator: ';',
      quotes: false,
      record: columns.slice(0, 1),
    })
    assert.equal(lineOf(plain, columns, { name: 'A;B' }).toString(), 'A B;\n')
  })
})

test('the form without a layout has the members of a card in the order of D-1021', () => {
  const address = 'name mobile address_line1 address_line2 city state postal_code country'.split(
    ' ',
  )
  assert.deepEqual(CSV.record, [
    { text: 'R' },
    ...[
      ...['order_id', 'reason', 'pan', 'sequence_number', 'expiry', 'valid_from', 'name'],
      ...['second_line', 'service_code', 'track1', 'track2', 'icvv', 'cvv2', 'chip_profile'],
      ...['pvki', 'pvv', 'pin_block', 'carrier', 'delivery_method'],
      ...address.map((name) => `ship_${name}`),
      ...address.map((name) => `return_${name}`),
      'tracking',
    ].map((field) => ({ field })),
  ])
})

describe('a layout', () => {
  const record = [{ field: 'pan', width: 19 }]
  const faults: [name: string, document: unknown, fault: RegExp][] = [
    ['that is no JSON', '{', /is no JSON/],
    ['of another shape', { form: 'XML', record }, /form/],
    ['with an unknown member', { form: 'FIXED', record, colour: 'red' }, /additional/],
    [
      'with an unknown field',
      { form: 'FIXED', record: [{ field: 'pin', width: 4 }] },
      /is none: pin/,
    ],
    ['without a width', { form: 'FIXED', record: [{ field: 'pan' }] }, /record\[0\] needs a width/],
    ['with field and text', { form: 'FIXED', record: [{ field: 'pan', text: 'x' }] }, /either/],
    [
      'of answers without a width',
      { form: 'FIXED', record, answers: { form: 'FIXED', columns: ['order_id'] } },
      /answers/,
    ],
  ]
  for (const [name, document, expected] of faults) {
    test(`${name} is a fault`, () => {
      const text = typeof document === 'string' ? document : JSON.stringify(document)
      const read = layoutOf(text)
      assert.ok('fault' in read)
      assert.match(read.fault, expected)
    })
  }
})

describe('answers', () => {
  test('of fixed widths are read, and what is between is skipped', () => {
    const { answers } = layout({
      form: 'FIXED',
      record: [{ field: 'pan', width: 19 }],
      answers: {
        form: 'FIXED',
        columns: [
          { blank: 2 },
          { field: 'order_id', width: 36 },
          { field: 'status', width: 10 },
          { field: 'tracking', width: 6 },
        ],
      },
    })
    const [line] = linesOf(Buffer.from(`D ${ID}shipped   F-17  \r\n`), answers)
    assert.partialDeepStrictEqual(line, { order_id: ID, status: 'SHIPPED', tracking: 'F-17' })
  })

  test('keep the numbers of their lines beside headings, blanks and a mark of the order', () => {
    const text = `\uFEFForder_id,status\r\n\r\n${ID},PRODUCED\r\n"${ID}","REJECTED","a, ""b"""\r\n`
    const lines = [...linesOf(Buffer.from(text))]
    assert.partialDeepStrictEqual(lines, [
      { line: 3, status: 'PRODUCED' },
      { line: 4, status: 'REJECTED', reason: 'a, "b"' },
    ])
  })

  test('with control characters or endless texts are faults', () => {
    for (const reason of ['a\u0007', 'x'.repeat(101)]) {
      const [line] = linesOf(Buffer.from(`${ID},REJECTED,${reason}\n`))
      assert.ok(line && 'message' in line)
    }
  })

  const right = `${ID},SHIPPED,,F-17\n`
  const hostile: [name: string, line: string | Buffer, fault: RegExp][] = [
    [
      'has more members than the form',
      `${ID},SHIPPED,,F-17,2026-11-28,Falcon,more`,
      /7 members of 6/,
    ],
    ['has its members in another order', `SHIPPED,${ID}`, /the order id is none/],
    ['has ten million characters', 'x'.repeat(10_000_000), /more than 4096 characters/],
    ['does not close its quotation mark', `${ID},SHIPPED,"lost`, /not closed/],
    ['is not UTF-8', Buffer.from(`${ID},SHIPPED,\xe9`, 'latin1'), /not UTF-8/],
    ['is UTF-16', Buffer.from(`${ID},SHIPPED`, 'utf16le'), /the order id is none|not UTF-8/],
    ['is cut in its status', `${ID},SHIPP`, /the status is none of/],
    ['has an unknown status', `${ID},LOST`, /the status is none of/],
    ['has no status', ID, /the status is none of/],
    ['has a day that is none', `${ID},SHIPPED,,,28.11.2026`, /the date is none/],
  ]
  for (const [name, content, fault] of hostile) {
    test(`of which a line ${name}: it alone is wrong, by its number`, () => {
      const line = Buffer.isBuffer(content) ? content : Buffer.from(content)
      const bytes = Buffer.concat([Buffer.from(right), line, Buffer.from(`\n${right}`)])
      const [first, wrong, last, ...rest] = linesOf(bytes)
      assert.ok(wrong && 'message' in wrong)
      assert.equal(wrong.line, 2)
      assert.match(wrong.message, fault)
      for (const one of [first, last]) assert.partialDeepStrictEqual(one, { status: 'SHIPPED' })
      assert.deepEqual(rest, [])
    })
  }
})
