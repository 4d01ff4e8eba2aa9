import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupNameOf, methodNameOf, pascal } from '../../tools/client/names.ts'

const CASES: [tag: string, id: string, group: string, method: string][] = [
  ['Users', 'createUser', 'users', 'create'],
  ['Users', 'listUserStatusChanges', 'users', 'listStatusChanges'],
  ['Users', 'listLinkedUsers', 'users', 'listLinkedUsers'],
  ['Card products', 'listCardProducts', 'cardProducts', 'list'],
  ['Wallet tokens', 'revealToken', 'walletTokens', 'reveal'],
  ['KYC', 'getKycRequest', 'kyc', 'getRequest'],
  ['PIN', 'changePin', 'pin', 'change'],
  ['Simulation', 'simulateAuthorization', 'simulation', 'authorization'],
  ['Simulation', 'moveClock', 'simulation', 'moveClock'],
  ['Search', 'searchObjects', 'search', 'objects'],
  ['Operator', 'getSettingsAsOperator', 'operator', 'getSettings'],
]

test('a function is named by its operation, without what its group says', () => {
  for (const [tag, id, group, method] of CASES) {
    assert.deepEqual([groupNameOf(tag), methodNameOf(tag, id, [id])], [group, method])
  }
})

test('two operations that would have one name keep their ids', () => {
  const ids = ['getUser', 'getUserAsOperator']
  for (const id of ids) assert.equal(methodNameOf('Users', id, ids), id)
})

test('a code of an error and an id are names of types', () => {
  assert.equal(pascal('insufficient_funds'), 'InsufficientFunds')
  assert.equal(pascal('createCard'), 'CreateCard')
})
