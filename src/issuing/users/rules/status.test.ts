import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { userTypes } from './fields.ts'
import {
  firstState,
  moves,
  reasonCodes,
  ruleOnMove,
  type UserState,
  userStatuses,
} from './status.ts'

const state = (text: string): UserState => {
  const [word, status_reason_code = ''] = text.split('/')
  const status = userStatuses.find((known) => known === word)
  assert.ok(status, word)
  return { status, status_reason_code }
}

describe('creation', () => {
  // type | require_document_verification, require_kyc | first state
  const table = `
    INDIVIDUAL           | verified kyc | PENDINGIDVERIFICATION/I0
    INDIVIDUAL           | verified -   | PENDINGIDVERIFICATION/I0
    INDIVIDUAL           | - kyc        | PENDINGKYC/I0
    INDIVIDUAL           | - -          | ACTIVE/A0
    BUSINESS             | verified kyc | PENDINGKYB/I0
    BUSINESS             | - -          | PENDINGKYB/I0
    DIRECTOR             | - -          | PENDINGKYB/I0
    SIGNATURE            | verified -   | PENDINGKYB/I0
    SHAREHOLDER          | - kyc        | PENDINGKYB/I0
    SHAREHOLDER_BUSINESS | - -          | PENDINGKYB/I0`

  for (const line of table.trim().split('\n')) {
    test(line.trim().replace(/\s+/g, ' '), () => {
      const [word, settings = '', expected = ''] = line.split('|').map((part) => part.trim())
      const type = userTypes.find((known) => known === word)
      assert.ok(type)
      const tenant = {
        require_document_verification: settings.includes('verified'),
        require_kyc: settings.includes('kyc'),
      }
      assert.deepEqual(firstState(type, tenant), state(expected))
    })
  }
})

describe('changeStatus', () => {
  // present | wanted | who performs it, or `refused`
  const table = `
    ACTIVE/A0                | SUSPENDED/S0             | users
    ACTIVE/A6                | SUSPENDED/S0             | users
    SUSPENDED/S0             | ACTIVE/A0                | users
    SUSPENDED/S5             | ACTIVE/A0                | refused
    SUSPENDED/S5             | SUSPENDED/S0             | refused
    SUSPENDED/S0             | SUSPENDED/S0             | refused
    ACTIVE/A0                | ACTIVE/A0                | refused
    ACTIVE/A0                | SUSPENDED/S5             | refused
    PENDINGKYC/I0            | ACTIVE/A0                | refused
    PENDINGKYB/I0            | SUSPENDED/S0             | refused
    PENDINGIDVERIFICATION/I0 | TERMINATED/T0            | users
    PENDINGKYC/I0            | TERMINATED/T0            | users
    PENDINGKYB/I0            | TERMINATED/T0            | users
    ACTIVE/A0                | TERMINATED/T0            | users
    SUSPENDED/S5             | TERMINATED/T0            | users
    ACTIVE/A0                | TERMINATED/T12           | refused
    TERMINATED/T0            | TERMINATED/T0            | refused
    TERMINATED/T0            | ACTIVE/A0                | refused
    PENDINGIDVERIFICATION/B1 | PENDINGIDVERIFICATION/B2 | verification
    PENDINGIDVERIFICATION/B5 | PENDINGIDVERIFICATION/B2 | verification
    PENDINGIDVERIFICATION/B6 | PENDINGIDVERIFICATION/B2 | verification
    PENDINGIDVERIFICATION/I0 | PENDINGIDVERIFICATION/B2 | verification
    PENDINGIDVERIFICATION/B9 | PENDINGIDVERIFICATION/B2 | refused
    PENDINGIDVERIFICATION/B2 | PENDINGIDVERIFICATION/B0 | verification
    ACTIVE/A0                | PENDINGIDVERIFICATION/B2 | refused
    ACTIVE/A6                | ACTIVE/B2E               | verification
    ACTIVE/A8                | ACTIVE/B2E               | verification
    ACTIVE/A0                | ACTIVE/B2E               | refused
    ACTIVE/B2E               | ACTIVE/B0E               | verification
    ACTIVE/A6                | ACTIVE/B0E               | verification
    ACTIVE/A0                | ACTIVE/B0E               | refused`

  for (const line of table.trim().split('\n')) {
    test(line.trim().replace(/\s+/g, ' '), () => {
      const [present = '', wanted = '', expected] = line.split('|').map((part) => part.trim())
      const ruling = ruleOnMove(state(present), state(wanted))
      assert.equal(ruling.allowed ? ruling.value.performed_by : 'refused', expected)
    })
  }

  for (const move of moves) {
    test(`${move.trigger}: ${move.to}/${move.reason}`, () => {
      const wanted = { status: move.to, status_reason_code: move.reason }
      for (const status of move.from) {
        for (const status_reason_code of move.from_reasons ?? reasonCodes) {
          assert.ok(ruleOnMove({ status, status_reason_code }, wanted).allowed)
        }
      }
      assert.ok(reasonCodes.includes(move.reason))
    })
  }

  test('nothing leaves TERMINATED, whatever is wanted', () => {
    for (const status of userStatuses) {
      for (const status_reason_code of reasonCodes) {
        const wanted = { status, status_reason_code }
        assert.equal(ruleOnMove(state('TERMINATED/T0'), wanted).allowed, false)
      }
    }
  })
})
