import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAdmission } from './admission.ts'

const limits = { connections: 5, connections_per_address: 2 }

test('an address has so many places, and gets them back', () => {
  const admission = openAdmission(limits, null)
  const first = admission.enter('192.0.2.1')
  assert.equal(admission.enter('::ffff:192.0.2.1').rejected, null)
  assert.equal(admission.enter('192.0.2.1').rejected, 'connections_per_address')
  assert.equal(admission.enter('192.0.2.2').rejected, null)
  if (first.rejected === null) first.leave()
  assert.equal(admission.enter('192.0.2.1').rejected, null)
  assert.equal(admission.enter('192.0.2.1').rejected, 'connections_per_address')
})

test('the addresses of one IPv6 network share their places', () => {
  const admission = openAdmission(limits, null)
  assert.equal(admission.enter('2001:db8::1').rejected, null)
  assert.equal(admission.enter('2001:db8::2').rejected, null)
  assert.equal(admission.enter('2001:db8::3').rejected, 'connections_per_address')
  assert.equal(admission.enter('2001:db8:0:1::3').rejected, null)
})

test('all together have so many places', () => {
  const admission = openAdmission(limits, null)
  const entries = [1, 2, 3, 4, 5].map((host) => admission.enter(`192.0.2.${host}`))
  assert.ok(entries.every(({ rejected }) => rejected === null))
  assert.equal(admission.enter('192.0.2.6').rejected, 'connections')
  const [first] = entries
  if (first?.rejected === null) first.leave()
  assert.equal(admission.enter('192.0.2.6').rejected, null)
})

test('an address that is not on the list is rejected and takes no place', () => {
  const admission = openAdmission({ connections: 1, connections_per_address: 1 }, ['10.0.0.0/8'])
  for (let count = 0; count < 3; count += 1) {
    assert.equal(admission.enter('192.0.2.1').rejected, 'not_allowed')
  }
  assert.equal(admission.enter('::ffff:10.1.1.1').rejected, null)
  assert.equal(openAdmission(limits, []).enter('127.0.0.1').rejected, 'not_allowed')
})
