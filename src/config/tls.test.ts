/** The demands of TLS and the address of health on other variables (D-145). */

import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { configFaults } from '#test/support/deploy/config_faults.ts'
import { type Config, healthUrl, readConfig, withBoundPorts } from './config.ts'

const LIVE = {
  MODE: 'live',
  MASTER_KEY: '8f3a91c27be4056d12f9a86c3d70e5b14c9827fe60ab35d8917243ce0b5f6ad1',
}
const TLS = { TLS_CERT: '/tls/api.pem', TLS_KEY: '/tls/api.key' }

type Env = Record<string, string>

describe('in live', () => {
  test('plain HTTP on an address that is not loopback names both ways out', () => {
    for (const HOST of ['0.0.0.0', '::', '10.1.2.3', 'cards.example', '2001:db8::7']) {
      assert.equal(
        configFaults({ ...LIVE, HOST }),
        `HOST is ${HOST} and MODE is live, where no API is served in plain HTTP: set TLS_CERT ` +
          'and TLS_KEY, or set TRUSTED_PROXIES to the proxies that have TLS before this program',
      )
    }
  })

  test('an empty list of proxies is none', () => {
    assert.match(configFaults({ ...LIVE, HOST: '0.0.0.0', TRUSTED_PROXIES: ',' }), /^HOST is /)
  })

  const served: [how: string, env: Env][] = [
    ['plain HTTP on loopback', { HOST: '127.0.0.1' }],
    ['plain HTTP on the loopback of IPv6', { HOST: '::1' }],
    ['plain HTTP behind a proxy', { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }],
    ['TLS on every address', { HOST: '0.0.0.0', ...TLS }],
  ]
  for (const [how, env] of served) {
    test(`${how} is served`, () => assert.equal(configFaults({ ...LIVE, ...env }), ''))
  }
})

test('a sandbox serves plain HTTP on every address', () => {
  assert.equal(configFaults({ HOST: '0.0.0.0' }), '')
})

test('with TLS the public URL is https', () => {
  const message = configFaults({ ...TLS, PUBLIC_URL: 'http://cards.example' })
  assert.equal(message, 'PUBLIC_URL must start with https:// where TLS_CERT is set: change it')
  assert.equal(configFaults({ ...TLS, PUBLIC_URL: 'https://cards.example' }), '')
  assert.equal(configFaults({ PUBLIC_URL: 'http://cards.example' }), '')
  const { public_url, tls } = readConfig({
    TLS_CERT: 'api.pem',
    TLS_KEY: '/tls/api.key',
    PORT: '1',
  })
  assert.equal(public_url, 'https://127.0.0.1:1')
  assert.deepEqual(tls, { cert: resolve('api.pem'), key: '/tls/api.key' })
})

test('health is at the address of HTTP, or in plain HTTP at one of its own', () => {
  const urlOf = (env: Env) => healthUrl(readConfig(env))
  assert.equal(urlOf(TLS), 'https://127.0.0.1:8080')
  assert.equal(urlOf({ ...TLS, ADMIN_PORT: '9090' }), 'http://127.0.0.1:9090')
  assert.equal(urlOf({ ADMIN_HOST: '10.1.2.3', ADMIN_PORT: '9090' }), 'http://10.1.2.3:9090')
})

test('ports that the system chose keep the scheme of the public URL', () => {
  const config: Config = readConfig({ ...TLS, PORT: '0', ADMIN_PORT: '0' })
  const bound = withBoundPorts(config, { port: 4001, network_port: 1, admin_port: 4002 })
  assert.equal(bound.public_url, 'https://127.0.0.1:4001')
  assert.deepEqual(bound.admin, { host: '127.0.0.1', port: 4002 })
})
