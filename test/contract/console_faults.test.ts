/** Answers that are errors, as the console reads them from each API. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nested } from '#merchant/error_format.ts'
import { Problem } from '../../apps/console/src/api/problem.ts'

test('the faults that the order service nests stand at the paths of their fields', () => {
  const faults = [
    { path: 'total', message: 'must be positive' },
    { path: 'order.customer.email', message: 'is not an address' },
    { path: 'order.lines.1.price', message: 'must be a number' },
    { path: '', message: 'The two do not fit.' },
  ]
  const { fields, message } = new Problem(400, Object(nested(faults)))
  assert.deepEqual(fields, {
    total: 'must be positive',
    'order.customer.email': 'is not an address',
    'order.lines.1.price': 'must be a number',
  })
  assert.equal(message, 'The two do not fit.')
})

test('a field of the order service that is named as a member of other errors is a field', () => {
  const { fields, code } = new Problem(
    400,
    Object({ detail: ['is too long'], code: ['is unknown'] }),
  )
  assert.deepEqual([fields, code], [{ detail: 'is too long', code: 'is unknown' }, 'unknown'])
})

test('the sentence of the order service is the message of the problem', () => {
  assert.equal(new Problem(404, { detail: 'Not found.' }).message, 'Not found.')
})

test('only an answer that decides the request lets its key go', () => {
  const decided = (status: number, code?: string) =>
    new Problem(status, code === undefined ? {} : { code, detail: code }).isDecided
  assert.deepEqual(
    [400, 402, 404, 409, 412, 422].filter((status) => !decided(status)),
    [],
  )
  assert.deepEqual(
    [0, 401, 403, 408, 429, 500, 502, 503, 504].filter((status) => decided(status)),
    [],
  )
  const waits = new Problem(409, { code: 'idempotency_key_in_use', detail: '' }, null, '1')
  assert.deepEqual([waits.isUnknown, waits.isDecided], [true, false])
})

const SOURCE = 'apps/console/src'
/** Downloads, which change nothing, and the entrance, where nobody has signed in yet. */
const OTHERS = /^(parts\/export_csv|pages\/(reconciliation\/download_csv|sign_in|sign_up|links)\b)/

/** Their pages show what was done: a step, a decision, a card, a day of traffic. */
const SHOWN = /^(parts\/use_action|pages\/(first_steps|simulator|traffic|cards\/widgets))\b/

const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).filter((file) => !OTHERS.test(file))
const using = (text: RegExp): string[] =>
  sources.filter((file) => readFileSync(`${SOURCE}/${file}`, 'utf8').search(text) >= 0)

test('each change of a member is made by the one hook that lets a second press have no effect', () => {
  assert.deepEqual(using(/useMutation\(/), ['parts/use_action.ts'])
})

test('each change of a member says that it worked, where its page does not show it', () => {
  const changing = using(/\buseAction\(/).filter((file) => !SHOWN.test(file))
  assert.ok(changing.length > 5, String(changing))
  const saying = using(/\bsaid:/)
  assert.deepEqual(
    changing.filter((file) => !saying.includes(file)),
    [],
  )
})
