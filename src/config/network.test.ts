import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { isOwnIssuer, networkAddress, readConfig } from './config.ts'

const LIVE = {
  MODE: 'live',
  TRUSTED_PROXIES: '10.0.0.1',
  MASTER_KEY: '8f3a91c27be4056d12f9a86c3d70e5b14c9827fe60ab35d8917243ce0b5f6ad1',
}

test('every variable of the port is read', () => {
  const { network, issuer_tls } = readConfig({
    NETWORK_HOST: '10.1.2.3',
    NETWORK_ALLOW: '192.0.2.7, 10.0.0.0/8,2001:db8::/32',
    NETWORK_TLS_CERT: 'tls/port.pem',
    NETWORK_TLS_KEY: '/tls/port.key',
    NETWORK_TLS_CA: '/tls/ca.pem',
    NETWORK_CONNECTIONS: '500',
    NETWORK_CONNECTIONS_PER_ADDRESS: '3',
    ISSUER_TLS_CA: '/tls/issuer.pem',
    ISSUER_TLS_CERT: '/tls/shop.pem',
    ISSUER_TLS_KEY: '/tls/shop.key',
  })
  assert.deepEqual(network, {
    host: '10.1.2.3',
    port: 8583,
    dialect: 'ascii',
    header: 'binary2',
    allow: ['192.0.2.7', '10.0.0.0/8', '2001:db8::/32'],
    confined: false,
    tls: { cert: resolve('tls/port.pem'), key: '/tls/port.key', ca: '/tls/ca.pem' },
    connections: 500,
    connections_per_address: 3,
  })
  const own = { cert: '/tls/shop.pem', key: '/tls/shop.key' }
  assert.deepEqual(issuer_tls, { ca: '/tls/issuer.pem', own })
  const frozen = [network, network.allow, network.tls, issuer_tls]
  assert.ok(frozen.every((part) => Object.isFrozen(part)))
})

test('the port listens where HTTP does, and the merchant side reaches it there', () => {
  assert.equal(readConfig({ HOST: '10.1.2.3' }).network.host, '10.1.2.3')
  const apart = readConfig({ HOST: '10.1.2.3', NETWORK_HOST: '0.0.0.0' })
  assert.equal(apart.network.host, '0.0.0.0')
  assert.deepEqual(apart.issuer_address, { host: '127.0.0.1', port: 8583 })
  assert.deepEqual(networkAddress(apart), { host: '127.0.0.1', port: 8583 })
})

const hosts: [host: string, listened: string][] = [
  ['0.0.0.0', '127.0.0.1'],
  ['10.1.2.3', '127.0.0.1'],
  ['issuer.example', '127.0.0.1'],
  ['::', '::1'],
  ['2001:db8::7', '::1'],
]
for (const [host, listened] of hosts) {
  test(`in live without an allow-list, ${host} becomes ${listened}`, () => {
    for (const env of [{ HOST: host }, { NETWORK_HOST: host }]) {
      const { network, issuer_address } = readConfig({ ...LIVE, ...env })
      assert.deepEqual([network.host, network.confined], [listened, true])
      assert.deepEqual(issuer_address, { host: listened, port: 8583 })
    }
    const allowed = readConfig({ ...LIVE, NETWORK_HOST: host, NETWORK_ALLOW: '10.0.0.0/8' })
    assert.deepEqual([allowed.network.host, allowed.network.confined], [host, false])
    assert.equal(readConfig({ NETWORK_HOST: host }).network.host, host)
  })
}

test('a loopback host stays what it is in live', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.8.0.1']) {
    const { network } = readConfig({ ...LIVE, NETWORK_HOST: host })
    assert.deepEqual([network.host, network.confined], [host, false])
  }
})

test('the issuer is this process where its own port is meant', () => {
  const own: Record<string, string>[] = [
    {},
    { NETWORK_HOST: '0.0.0.0' },
    { NETWORK_PORT: '0' },
    { NETWORK_HOST: '10.1.2.3' },
    { ISSUER_ADDRESS: 'localhost:8583' },
    { NETWORK_HOST: '10.1.2.3', ISSUER_ADDRESS: '10.1.2.3:8583' },
  ]
  for (const env of own) assert.ok(isOwnIssuer(readConfig(env)), JSON.stringify(env))
  const other: Record<string, string>[] = [
    { ROLES: 'api,worker' },
    { ISSUER_ADDRESS: 'localhost:9000' },
    { ISSUER_ADDRESS: 'issuer.example:8583' },
    { NETWORK_HOST: '10.1.2.3', ISSUER_ADDRESS: '127.0.0.1:8583' },
  ]
  for (const env of other) assert.ok(!isOwnIssuer(readConfig(env)), JSON.stringify(env))
})
