import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeShipping } from './shipping.ts'

const home = { name: 'Aisha', city: 'Dubai', country: 'ARE' }

test('members not sent are unchanged, null clears the whole or a member', () => {
  const before = { method: 'MAIL' as const, address: home }
  assert.deepEqual(mergeShipping(before, undefined).shipping, before)
  assert.equal(mergeShipping(before, null).shipping, null)
  const input = { method: null, address: { city: null, country: 'gb' }, return_address: home }
  assert.deepEqual(mergeShipping(before, input), {
    shipping: { address: { name: 'Aisha', country: 'GBR' }, return_address: home },
    faults: [],
  })
  assert.deepEqual(mergeShipping(before, { address: null }).shipping, { method: 'MAIL' })
})

test('phones become E.164, and every fault has its path', () => {
  const ok = mergeShipping(null, { address: { mobile: '+971 50 123 4567' } })
  assert.deepEqual(ok.shipping, { address: { mobile: '+971501234567' } })
  const { faults } = mergeShipping(null, {
    address: { mobile: '12', country: 'Narnia' },
    return_address: { country: 'ZZ' },
  })
  assert.deepEqual(
    faults.map(({ path }) => path),
    [
      'shipping_details.address.mobile',
      'shipping_details.address.country',
      'shipping_details.return_address.country',
    ],
  )
})
