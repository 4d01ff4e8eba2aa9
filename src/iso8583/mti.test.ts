import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerMti, isAdvice, isAnswer, isRepeat, mtiClass } from './mti.ts'

const cases: [request: string, answer: string, group: string][] = [
  ['0100', '0110', '0100'],
  ['0101', '0110', '0100'],
  ['0120', '0130', '0120'],
  ['0121', '0130', '0120'],
  ['0200', '0210', '0200'],
  ['0220', '0230', '0220'],
  ['0221', '0230', '0220'],
  ['0400', '0410', '0400'],
  ['0401', '0410', '0400'],
  ['0420', '0430', '0420'],
  ['0421', '0430', '0420'],
  ['0800', '0810', '0800'],
  ['0820', '0830', '0820'],
]
for (const [request, answer, group] of cases) {
  test(`${request} is answered by ${answer} and is of class ${group}, as its answer is`, () => {
    assert.equal(answerMti(request), answer)
    assert.equal(mtiClass(request), group)
    assert.equal(mtiClass(answer), group)
    assert.equal(isRepeat(request), request.endsWith('1'))
    assert.equal(isAdvice(request), /^0.2/.test(request))
    assert.equal(isAnswer(request), false)
    assert.equal(isAnswer(answer), true)
  })
}

test('an answer and an unknown message type have no answer', () => {
  for (const mti of ['0110', '0130', '0810', '0300', '', '0102']) {
    assert.equal(answerMti(mti), null)
    assert.equal(isRepeat(mti), false)
    assert.equal(isAdvice(mti), false)
  }
  assert.equal(mtiClass('0300'), '0300')
})
