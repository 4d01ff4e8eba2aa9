import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAcknowledged, matchKey, outcomeOf, resendAt } from './rules.ts'

const answer = (code: string | undefined, mti = '0110') => ({
  mti,
  fields: { 7: '1121101010', 11: '000007', 32: '1', 37: 'ABC', ...(code && { 39: code }) },
})

test('only a promise of the whole amount counts as approved', () => {
  for (const code of ['00', '08', '11', '85']) {
    assert.equal(outcomeApproved(code), true, code)
  }
  for (const code of ['05', '10', '51', '54', 'N7', '1A', '91', '96', undefined]) {
    assert.equal(outcomeApproved(code), false, String(code))
  }
})

function outcomeApproved(code: string | undefined): boolean {
  const outcome = outcomeOf(answer(code))
  return outcome.kind === 'answered' && outcome.approved
}

test('an advice is sent again until the issuer has taken it up, whatever it says of it', () => {
  for (const code of ['00', '25', '12', '21']) {
    assert.equal(isAcknowledged(outcomeOf(answer(code))), true, code)
  }
  for (const code of ['68', '91', '94', '96', undefined]) {
    assert.equal(isAcknowledged(outcomeOf(answer(code))), false, String(code))
  }
  assert.equal(isAcknowledged({ kind: 'unanswered' }), false)
  assert.equal(isAcknowledged({ kind: 'unsent' }), false)
})

test('the pauses between two sendings double up to ten minutes', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const seconds = [0, 1, 4, 9, 10, 400].map(
    (attempts) => (resendAt(now, attempts).getTime() - now.getTime()) / 1000,
  )
  assert.deepEqual(seconds, [1, 2, 16, 512, 600, 600])
})

test('an answer and its question have one key; another number, time or reference has not', () => {
  const question = { mti: '0100', fields: answer('00').fields }
  assert.equal(matchKey(answer('00')), matchKey(question))
  assert.equal(matchKey(answer('00')), matchKey({ ...question, mti: '0101' }))
  for (const de of [7, 11, 32, 37]) {
    const other = { ...question, fields: { ...question.fields, [de]: '999999' } }
    assert.notEqual(matchKey(answer('00')), matchKey(other), `DE${de}`)
  }
  assert.notEqual(matchKey(answer('00')), matchKey({ ...question, mti: '0200' }))
})
