import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Action, codeOfDigest, judge, type Question, type Verdict } from './challenge.ts'

const now = new Date('2026-03-09T08:00:00Z')
const question: Question = {
  expires: new Date('2026-03-09T08:00:01Z'),
  codes: 1,
  wrong_codes: 0,
  code: '012345',
}

describe('what is sent from the page of the issuer', () => {
  const cases: [Partial<Question>, Action, string, Verdict][] = [
    [{}, 'confirm', '012345', 'right'],
    [{ wrong_codes: 2 }, 'confirm', '012345', 'right'],
    [{}, 'confirm', '', 'empty'],
    [{}, 'confirm', '12345', 'unreadable'],
    [{}, 'confirm', '0123456', 'unreadable'],
    [{}, 'confirm', '01234a', 'unreadable'],
    [{ wrong_codes: 2 }, 'confirm', '01234', 'unreadable'],
    [{}, 'confirm', '012346', 'wrong'],
    [{ wrong_codes: 1 }, 'confirm', '012346', 'wrong'],
    [{ wrong_codes: 2 }, 'confirm', '012346', 'refused'],
    [{ expires: now }, 'confirm', '012345', 'late'],
    [{ expires: now }, 'confirm', '012346', 'late'],
    [{ expires: now }, 'resend', '', 'late'],
    [{ expires: now }, 'show', '', 'late'],
    [{ expires: now }, 'cancel', '', 'cancelled'],
    [{}, 'cancel', '012345', 'cancelled'],
    [{ codes: 2 }, 'resend', '', 'resent'],
    [{ codes: 3 }, 'resend', '', 'shown'],
    [{}, 'show', '012346', 'shown'],
  ]
  for (const [change, action, typed, verdict] of cases) {
    test(`${action} “${typed}” with ${JSON.stringify(change)} is ${verdict}`, () => {
      assert.equal(judge({ ...question, ...change }, { action, typed }, now), verdict)
    })
  }
})

test('a code is what RFC 4226 makes of a digest, with its leading zeros', () => {
  // The digests of its appendix D for the counters 0 and 1.
  for (const [hex, code] of [
    ['cc93cf18508d94934c64b65d8ba7667fb7cde4b0', '755224'],
    ['75a48a19d4cbe100644e8ac1397eea747a2d33ab', '287082'],
  ] as const) {
    assert.equal(codeOfDigest(Buffer.from(hex, 'hex')), code)
  }
  assert.equal(codeOfDigest(Buffer.alloc(32)), '000000')
})
