import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGate } from './admission.ts'

const limits = { connections: 5, connections_per_address: 2 }

test('an address has so many places, and gets them back', () => {
  const gate = openGate(limits, null)
  const first = gate.enter('192.0.2.1')
  assert.equal(gate.enter('::ffff:192.0.2.1').rejected, null)
  assert.equal(gate.enter('192.0.2.1').rejected, 'connections_per_address')
  assert.equal(gate.enter('192.0.2.2').rejected, null)
  if (first.rejected === null) first.leave()
  assert.equal(gate.enter('192.0.2.1').rejected, null)
  assert.equal(gate.enter('192.0.2.1').rejected, 'connections_per_address')
})

test('the addresses of one IPv6 network share their places', () => {
  const gate = openGate(limits, null)
  assert.equal(gate.enter('2001:db8::1').rejected, null)
  assert.equal(gate.enter('2001:db8::2').rejected, null)
  assert.equal(gate.enter('2001:db8::3').rejected, 'connections_per_address')
  assert.equal(gate.enter('2001:db8:0:1::3').rejected, null)
})

test('all together have so many places', () => {
  const gate = openGate(limits, null)
  const entries = [1, 2, 3, 4, 5].map((host) => gate.enter(`192.0.2.${host}`))
  assert.ok(entries.every(({ rejected }) => rejected === null))
  assert.equal(gate.enter('192.0.2.6').rejected, 'connections')
  const [first] = entries
  if (first?.rejected === null) first.leave()
  assert.equal(gate.enter('192.0.2.6').rejected, null)
})

test('an address that is not on the list is rejected and takes no place', () => {
  const gate = openGate({ connections: 1, connections_per_address: 1 }, ['10.0.0.0/8'])
  for (let count = 0; count < 3; count += 1) {
    assert.equal(gate.enter('192.0.2.1').rejected, 'not_allowed')
  }
  assert.equal(gate.enter('::ffff:10.1.1.1').rejected, null)
  assert.equal(openGate(limits, []).enter('127.0.0.1').rejected, 'not_allowed')
})
