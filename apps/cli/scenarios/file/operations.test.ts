import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation, readOperations } from './operations.ts'

const operations = readOperations()
const idOf = (call: string) => findOperation(operations, call)?.id

test('an operation is found by its id, or by method and path', () => {
  assert.equal(idOf('createUser'), 'createUser')
  assert.equal(idOf('POST /v1/users'), 'createUser')
  assert.equal(idOf('GET /v1/users/${user_id}'), 'getUser')
  assert.equal(idOf('GET /v1/cards/0190/stoporders/'), 'listStopOrders')
  assert.equal(idOf('POST /v1/accounts/${account_id}:loadFunds'), 'loadAccountFunds')
  assert.equal(idOf('POST /api/v1.0/orders/A-1/capture'), 'captureOrder')
})

test('another method, a longer path and an unknown id name no operation', () => {
  for (const call of ['DELETE /v1/users', 'GET /v1/users/a/b', 'GET /users', 'toString', '']) {
    assert.equal(idOf(call), undefined, call)
  }
})
