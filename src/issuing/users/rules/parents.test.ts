import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type UserType, userTypes } from './fields.ts'
import { checkAncestors, checkList, checkParent, checkPlace, type Parent } from './parents.ts'
import { userStatuses } from './status.ts'

const codeOf = (result: { ok: true } | { ok: false; code: string }) =>
  result.ok ? 'ok' : result.code

describe('which users may have children', () => {
  for (const user_type of userTypes) {
    for (const status of userStatuses) {
      const business = user_type === 'BUSINESS' || user_type === 'SHAREHOLDER_BUSINESS'
      const eligible = ['ACTIVE', 'PENDINGKYC', ...(business ? ['PENDINGKYB'] : [])]
      const expected = eligible.includes(status) ? 'ok' : 'parent_not_eligible'
      test(`${user_type} ${status}: ${expected}`, () => {
        const parent: Parent = { user_type, status, status_reason_code: 'I0' }
        assert.equal(codeOf(checkParent(parent)), expected)
      })
    }
  }
})

test('no user is its own ancestor', () => {
  assert.equal(codeOf(checkAncestors(['a'], ['b', 'c'])), 'ok')
  assert.equal(codeOf(checkAncestors(['x', 'c'], ['b', 'c'])), 'parent_cycle')
})

describe('a list of a business', () => {
  const user = (id: string, user_type: UserType, parent_user_id: string | null = null) =>
    [id, { id, user_type, parent_user_id }] as const
  const users = new Map([
    user('d', 'DIRECTOR'),
    user('mine', 'DIRECTOR', 'b'),
    user('elsewhere', 'DIRECTOR', 'other'),
    user('s', 'SHAREHOLDER'),
    user('sb', 'SHAREHOLDER_BUSINESS'),
  ])
  const table = [
    ['director_list', ['d', 'mine'], 'ok'],
    ['director_list', ['d', 'd'], 'validation_failed'],
    ['director_list', ['s'], 'validation_failed'],
    ['director_list', ['absent'], 'validation_failed'],
    ['director_list', ['elsewhere'], 'user_already_linked'],
    ['signature_list', ['d'], 'validation_failed'],
    ['shareholder_list', ['s', 'sb'], 'ok'],
  ] as const
  for (const [list, ids, expected] of table) {
    test(`${list} ${ids.join(' ')}: ${expected}`, () => {
      assert.equal(codeOf(checkList(list, 'b', ids, users)), expected)
    })
  }
})

test('who joins gets the first free of ten places, and the eleventh none', () => {
  const place = (occupied: number[]) => {
    const result = checkPlace('director_list', occupied)
    return result.ok ? result.value : undefined
  }
  assert.equal(place([]), 1)
  assert.equal(place([1, 3]), 2)
  assert.equal(place([1, 2, 3, 4, 5, 6, 7, 8, 9]), 10)
  assert.equal(place([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), undefined)
})
