import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { userTypes } from './fields.ts'
import { reasonCodes, triggers, userStatuses } from './states.ts'
import {
  awaitsChecks,
  checkMove,
  checkTrigger,
  firstState,
  isKnownState,
  type UserState,
} from './status.ts'
import { transitions } from './transitions.ts'

const state = (text: string): UserState => {
  const [word, code] = text.split('/')
  const status = userStatuses.find((known) => known === word)
  const status_reason_code = reasonCodes.find((known) => known === code)
  assert.ok(status && status_reason_code, text)
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
  // present | requested | allowed or rejected, in sandbox
  const table = `
    ACTIVE/A0                | SUSPENDED/S0             | allowed
    ACTIVE/A6                | SUSPENDED/S0             | allowed
    SUSPENDED/S0             | ACTIVE/A0                | allowed
    SUSPENDED/S5             | ACTIVE/A0                | rejected
    SUSPENDED/S5             | SUSPENDED/S0             | rejected
    SUSPENDED/S0             | SUSPENDED/S0             | rejected
    ACTIVE/A0                | ACTIVE/A0                | rejected
    ACTIVE/A0                | SUSPENDED/S5             | rejected
    PENDINGKYC/I0            | ACTIVE/A0                | rejected
    PENDINGKYB/I0            | SUSPENDED/S0             | rejected
    PENDINGIDVERIFICATION/I0 | TERMINATED/T0            | allowed
    PENDINGKYC/I0            | TERMINATED/T0            | allowed
    PENDINGKYB/I0            | TERMINATED/T0            | allowed
    ACTIVE/A0                | TERMINATED/T0            | allowed
    SUSPENDED/S5             | TERMINATED/T0            | allowed
    ACTIVE/A0                | TERMINATED/T12           | rejected
    TERMINATED/T0            | TERMINATED/T0            | rejected
    TERMINATED/T0            | ACTIVE/A0                | rejected
    PENDINGIDVERIFICATION/B1 | PENDINGIDVERIFICATION/B2 | allowed
    PENDINGIDVERIFICATION/B5 | PENDINGIDVERIFICATION/B2 | allowed
    PENDINGIDVERIFICATION/B6 | PENDINGIDVERIFICATION/B2 | allowed
    PENDINGIDVERIFICATION/I0 | PENDINGIDVERIFICATION/B2 | allowed
    PENDINGIDVERIFICATION/B9 | PENDINGIDVERIFICATION/B2 | rejected
    PENDINGIDVERIFICATION/B2 | PENDINGIDVERIFICATION/B0 | allowed
    ACTIVE/A0                | PENDINGIDVERIFICATION/B2 | rejected
    ACTIVE/A6                | ACTIVE/B2E               | allowed
    ACTIVE/A8                | ACTIVE/B2E               | allowed
    ACTIVE/A0                | ACTIVE/B2E               | rejected
    ACTIVE/B2E               | ACTIVE/B0E               | allowed
    ACTIVE/A6                | ACTIVE/B0E               | allowed
    ACTIVE/A0                | ACTIVE/B0E               | rejected`

  for (const line of table.trim().split('\n')) {
    test(line.trim().replace(/\s+/g, ' '), () => {
      const [present = '', requested = '', expected] = line.split('|').map((part) => part.trim())
      const result = checkMove(state(present), state(requested), PROFILES.sandbox)
      assert.equal(result.ok ? 'allowed' : 'rejected', expected)
    })
  }

  test('B2 straight from I0 is for testers: live rejects it (D-116)', () => {
    const [present, requested] = [
      state('PENDINGIDVERIFICATION/I0'),
      state('PENDINGIDVERIFICATION/B2'),
    ]
    assert.equal(checkMove(present, requested, PROFILES.live).ok, false)
  })
})

describe('the table', () => {
  for (const row of transitions.filter(({ from }) => from.length > 0)) {
    test(`${row.when}: ${row.to}/${row.reason}`, () => {
      const requested = { status: row.to, status_reason_code: row.reason }
      for (const status of row.from) {
        for (const status_reason_code of row.from_reasons ?? reasonCodes) {
          const present = { status, status_reason_code }
          const result =
            row.trigger === 'changeStatus'
              ? checkMove(present, requested, PROFILES.sandbox)
              : checkTrigger(present, row.trigger === 'creation' ? 'kyc_ok' : row.trigger)
          assert.ok(result.ok)
          assert.equal(result.value.reason, row.reason)
        }
      }
    })
  }

  test('leads nowhere but to reasons that have a meaning, and every reason is led to', () => {
    const led = new Set(transitions.map(({ reason }) => reason))
    assert.deepEqual([...led].sort(), [...reasonCodes].sort())
  })

  test('has a row for every trigger', () => {
    const pulled = new Set(transitions.map(({ trigger }) => trigger))
    assert.deepEqual([...pulled].sort(), [...triggers].sort())
  })

  test('nothing leaves TERMINATED, for every request and trigger', () => {
    for (const present of transitions.filter(({ to }) => to === 'TERMINATED')) {
      const ended = { status: present.to, status_reason_code: present.reason }
      for (const trigger of triggers) {
        if (trigger === 'creation' || trigger === 'changeStatus') continue
        assert.equal(checkTrigger(ended, trigger).ok, false)
      }
      for (const status of userStatuses) {
        for (const status_reason_code of reasonCodes) {
          const requested = { status, status_reason_code }
          assert.equal(checkMove(ended, requested, PROFILES.sandbox).ok, false)
        }
      }
    }
  })

  test('knows the states that it leads to and no other', () => {
    assert.ok(isKnownState(state('ACTIVE/B0E')))
    assert.ok(!isKnownState(state('ACTIVE/B0')))
    assert.ok(!isKnownState(state('SUSPENDED/B1')))
  })
})

describe('awaitsChecks', () => {
  const table = {
    'PENDINGIDVERIFICATION/I0': true,
    'PENDINGKYC/I0': true,
    'PENDINGKYB/I0': true,
    'ACTIVE/A0': false,
    'ACTIVE/A6': true,
    'ACTIVE/A7': false,
    'ACTIVE/A8': true,
    'ACTIVE/B0E': true,
    'SUSPENDED/S0': false,
    'SUSPENDED/S5': true,
    'TERMINATED/T0': false,
    'TERMINATED/T12': false,
  }
  for (const [text, expected] of Object.entries(table)) {
    test(`${text}: ${expected}`, () => assert.equal(awaitsChecks(state(text)), expected))
  }
})
