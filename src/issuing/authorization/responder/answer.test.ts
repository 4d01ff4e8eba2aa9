import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANSWER_READ_BYTES } from '#kit/net/exchange.ts'
import { readAnswer } from './answer.ts'

const requested = { amount: 10_000n, currency: 'AED' }
function read(body: string, status = 200) {
  const outcome = { kind: 'answered', status, body: Buffer.from(body) } as const
  const answer = readAnswer({ ...outcome, retry_after: undefined }, requested)
  if (typeof answer === 'string') return answer
  const { by, ...decision } = answer
  assert.equal(by, `HTTP ${status}`)
  return decision
}

test('an answer approves, declines, or approves less', () => {
  assert.deepEqual(read('{"approved":true}'), { approved: true })
  assert.deepEqual(read('{"approved":false,"amount":5}', 201), { approved: false })
  assert.deepEqual(read('{"approved":true,"amount":60.5}'), { approved: true, amount: 6_050n })
  assert.deepEqual(read('{"approved":true,"amount":"60.50"}'), { approved: true, amount: 6_050n })
  assert.deepEqual(read('{"approved":true,"amount":null,"more":1}'), { approved: true })
})

test('an amount from the requested one on changes nothing, and zero approves nothing', () => {
  assert.deepEqual(read('{"approved":true,"amount":100}'), { approved: true })
  assert.deepEqual(read('{"approved":true,"amount":101}'), { approved: true })
  assert.deepEqual(read('{"approved":true,"amount":0}'), { approved: false })
})

test('anything else is no answer, and the reason is named', () => {
  const cases: [body: string, status: number, reason: RegExp][] = [
    ['', 200, /JSON/],
    ['{"approved":true', 200, /JSON/],
    ['[true]', 200, /approved/],
    ['"approved"', 200, /JSON/],
    ['{"approved":"true"}', 200, /approved/],
    ['{"approved":1}', 200, /approved/],
    ['{}', 200, /approved/],
    ['{"approved":true,"amount":-1}', 200, /amount/],
    ['{"approved":true,"amount":0.001}', 200, /amount/],
    ['{"approved":true,"amount":"1e2"}', 200, /amount/],
    ['{"approved":true,"amount":{}}', 200, /amount/],
    ['{"approved":true}', 302, /HTTP 302/],
    ['{"approved":true}', 500, /HTTP 500/],
    ['['.repeat(ANSWER_READ_BYTES - 1), 200, /JSON/],
    [`{"approved":true,"more":"${'x'.repeat(ANSWER_READ_BYTES)}"}`, 200, /too large/],
  ]
  for (const [body, status, reason] of cases) {
    const answer = read(body, status)
    assert.ok(typeof answer === 'string', body.slice(0, 40))
    assert.match(answer, reason)
  }
  assert.equal(readAnswer({ kind: 'unanswered', error: 'timeout' }, requested), 'timeout')
})
