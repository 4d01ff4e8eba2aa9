import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isAcknowledged, leastBusy, matchKey, outcomeOf, resendAt } from './rules.ts'

const answer = (code: string | undefined) => ({
  mti: '0110',
  fields: { 7: '1121101010', 11: '000007', 32: '1', 37: 'ABC', ...(code && { 39: code }) },
})

test('only an approval of the whole amount counts as approved', () => {
  for (const code of ['00', '08', '11', '85']) assert.equal(kindOf(code), 'yes', code)
  for (const code of ['05', '51', '54', 'N7', '1A', '25']) assert.equal(kindOf(code), 'no', code)
})

test('68, 91, 94, 96, a partial approval and a missing DE39 leave the outcome unknown', () => {
  for (const code of ['68', '91', '94', '96', '10', undefined]) {
    assert.equal(kindOf(code), 'unanswered', String(code))
  }
})

function kindOf(code: string | undefined): string {
  const outcome = outcomeOf(answer(code))
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.approved ? 'yes' : 'no'
}

test('a release is sent again until the issuer gives a decided answer', () => {
  for (const code of ['00', '25', '12', '21']) {
    assert.equal(isAcknowledged(outcomeOf(answer(code)), false), true, code)
  }
  for (const code of ['68', '91', '94', '96', undefined]) {
    assert.equal(isAcknowledged(outcomeOf(answer(code)), false), false, String(code))
  }
  assert.equal(isAcknowledged({ kind: 'unanswered' }, false), false)
  assert.equal(isAcknowledged({ kind: 'unsent' }, false), false)
})

test('a reversal of an unknown outcome ends only when the message has no effect', () => {
  for (const code of ['00', '21', '25']) {
    assert.equal(isAcknowledged(outcomeOf(answer(code)), true), true, code)
  }
  for (const code of ['12', '30', '05', '91', undefined]) {
    assert.equal(isAcknowledged(outcomeOf(answer(code)), true), false, String(code))
  }
})

test('the pauses between two sendings double up to ten minutes', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const seconds = [0, 1, 4, 9, 10, 400].map(
    (attempts) => (resendAt(now, attempts).getTime() - now.getTime()) / 1000,
  )
  assert.deepEqual(seconds, [1, 2, 16, 512, 600, 600])
})

test('an answer has the key of its request, and every other message has another', () => {
  const question = { mti: '0100', fields: answer('00').fields }
  assert.equal(matchKey(answer('00')), matchKey(question))
  assert.equal(matchKey(answer('00')), matchKey({ ...question, mti: '0101' }))
  for (const de of [7, 11, 32, 37]) {
    const other = { ...question, fields: { ...question.fields, [de]: '999999' } }
    assert.notEqual(matchKey(answer('00')), matchKey(other), `DE${de}`)
  }
  assert.notEqual(matchKey(answer('00')), matchKey({ ...question, mti: '0200' }))
})

describe('the next request goes over the connection', () => {
  const line = (name: string, underWay: number, isSilent = false) => ({ name, underWay, isSilent })
  const chosen = (turn: number, ...open: ReturnType<typeof line>[]) => leastBusy(open, turn)?.name

  test('with the fewest under way', () => {
    for (const turn of [0, 1, 2]) {
      assert.equal(chosen(turn, line('a', 3), line('b', 1), line('c', 2)), 'b')
    }
  })

  test('whose turn it is, of equal ones', () => {
    const equal = [line('a', 1), line('b', 1), line('c', 1)]
    assert.deepEqual(
      [0, 1, 2, 3].map((turn) => chosen(turn, ...equal)),
      ['a', 'b', 'c', 'a'],
    )
  })

  test('that is not silent, whatever is under way', () => {
    for (const turn of [0, 1]) assert.equal(chosen(turn, line('a', 0, true), line('b', 9)), 'b')
    assert.equal(chosen(0, line('a', 0, true)), 'a')
  })

  test('that is there', () => assert.equal(chosen(5), undefined))
})
