import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Fault } from '#kit/http/answers/problems.ts'
import { formatError, nested, plainMessage, withIndent } from './error_format.ts'

const bodyOf = (fault: Partial<Fault>) =>
  JSON.parse(formatError({ status: 400, code: 'validation_failed', detail: 'No.', ...fault }).body)

describe('errors of the order service', () => {
  const cases: [name: string, errors: [path: string, message: string][], body: object][] = [
    ['a field', [['total', 'is required']], { total: ['is required'] }],
    [
      'a field of a field, and two faults of one',
      [
        ['order.customer.email', 'is too long'],
        ['order.customer.email', 'is no address'],
        ['currency', 'is required'],
      ],
      {
        order: { customer: { email: ['is too long', 'is no address'] } },
        currency: ['is required'],
      },
    ],
    [
      'an item of a list',
      [['order.lines.1.price', 'is no number']],
      { order: { lines: [{}, { price: ['is no number'] }] } },
    ],
    [
      'a value in a list of values',
      [['order.tags.1', 'is too long']],
      { order: { tags: { 1: ['is too long'] } } },
    ],
    ['a body with numbers for names', [['0.a', 'is odd']], { 0: { a: ['is odd'] } }],
    ['the whole body', [['', 'must be an object']], { non_field_errors: ['must be an object'] }],
    [
      'a field and its own member',
      [
        ['order', 'is odd'],
        ['order.lines', 'is long'],
      ],
      { order: { non_field_errors: ['is odd'], lines: ['is long'] } },
    ],
  ]
  for (const [name, errors, body] of cases) {
    test(`400 is nested as the request is: ${name}`, () => {
      assert.deepEqual(nested(errors.map(([path, message]) => ({ path, message }))), body)
    })
  }

  test('400 without a field has the detail under `non_field_errors`', () => {
    assert.deepEqual(bodyOf({ detail: 'the body is not valid JSON' }), {
      non_field_errors: ['the body is not valid JSON'],
    })
  })

  test('every other status is a detail', () => {
    for (const status of [401, 403, 404, 405, 406, 409, 415, 429, 500, 503]) {
      assert.deepEqual(bodyOf({ status, code: 'x', detail: 'Why.' }), { detail: 'Why.' })
    }
  })

  test('a huge index makes no huge list', () => {
    assert.deepEqual(nested([{ path: 'lines.9999', message: 'x' }]), { lines: { 9999: ['x'] } })
  })
})

test('messages of the validator become plain language', () => {
  for (const [message, plain] of [
    ['must be of type string,null', 'must be text'],
    ['must be of type number,string', 'must be a number or text'],
    ['must be of type object or array', 'must be an object or a list'],
    ['must NOT have more than 100 characters', 'must have at most 100 characters'],
    ['must NOT have fewer than 1 characters', 'must not be empty'],
    ['must NOT have more than 500 items', 'must have at most 500 items'],
    ['must match pattern "^[A-Z]{3}$"', 'has characters that are not allowed here'],
    ['must be at least the smallest unit of AED', 'must be at least the smallest unit of AED'],
    ['must be AED, as the order', 'must be AED, as the order'],
    ['must be pay-now', 'must be pay-now'],
  ] as const) {
    assert.equal(plainMessage(message), plain)
  }
})

test('an answer is indented only when the request asks for it', () => {
  const body = '{"a":[1]}'
  assert.equal(withIndent('application/json', body), body)
  assert.equal(withIndent(undefined, body), body)
  assert.equal(withIndent('application/json; indent=4', body), '{\n    "a": [\n        1\n    ]\n}')
  assert.equal(withIndent('application/json;indent=99', body).split('\n')[1], '        "a": [')
})
