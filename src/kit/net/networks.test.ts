import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNetwork, membersOf, originOf, plainAddress } from './networks.ts'

const inside: [network: string, address: string][] = [
  ['10.0.0.0/8', '10.255.0.1'],
  ['10.1.2.3/8', '10.255.0.1'],
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '::ffff:192.0.2.7'],
  ['::ffff:192.0.2.0/120', '192.0.2.200'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['0.0.0.0/0', '203.0.113.9'],
  ['::1', '::1'],
  ['2001:db8::/33', '2001:db8:7fff::1'],
  ['fe80::/10', 'fe80::1%eth0'],
  ['::/0', '2001:db8::1'],
]
for (const [network, address] of inside) {
  test(`${network} holds ${address}`, () => assert.ok(membersOf(['203.0.113.1', network])(address)))
}

const outside: [network: string, address: string][] = [
  ['10.0.0.0/8', '11.0.0.1'],
  ['192.0.2.7', '192.0.2.8'],
  ['192.0.2.0/25', '192.0.2.128'],
  ['0.0.0.0/0', '::1'],
  ['::/0', '192.0.2.7'],
  ['2001:db8::/33', '2001:db8:8000::1'],
  ['10.0.0.0/8', 'no address'],
  ['10.0.0.0/8', ''],
]
for (const [network, address] of outside) {
  test(`${network} does not hold '${address}'`, () => assert.ok(!membersOf([network])(address)))
}

test('what is no network holds nothing', () => {
  const wrong = [
    ...['', '10', '10.0.0', '010.0.0.1', '0x0a000001', '10.0.0.0/33', '10.0.0.0/', '/8', 'host'],
    ...[
      '::1/129',
      '::1.2.3.4',
      'fe80::1%eth0',
      '::ffff:10.0.0.0/95',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
    ],
  ]
  for (const text of wrong) {
    assert.ok(!isNetwork(text), text)
    assert.ok(!membersOf([text])('10.0.0.1'), text)
  }
})

test('an origin is an IPv4 address, or the network of an IPv6 one', () => {
  assert.equal(originOf('::ffff:10.0.0.1'), originOf('10.0.0.1'))
  assert.notEqual(originOf('10.0.0.1'), originOf('10.0.0.2'))
  assert.equal(originOf('2001:db8:0:1::1'), originOf('2001:db8:0:1:ffff::2'))
  assert.notEqual(originOf('2001:db8:0:1::1'), originOf('2001:db8:0:2::1'))
  assert.equal(originOf('10.0.0.1:4711'), originOf('10.0.0.1'))
  assert.equal(originOf('[2001:db8:0:1::1]:4711'), originOf('2001:db8:0:1::2'))
  assert.equal(originOf('fe80::1%eth0'), originOf('fe80::2'))
})

test('an address is the same however it is written', () => {
  assert.equal(plainAddress('::ffff:127.0.0.1'), '127.0.0.1')
  assert.equal(plainAddress('::1'), plainAddress('0:0:0:0:0:0:0:1'))
  assert.equal(plainAddress('nowhere'), undefined)
})
