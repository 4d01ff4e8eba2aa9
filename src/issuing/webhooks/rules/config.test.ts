import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Config, faultsOfConfig } from './config.ts'

const bare: Config = {
  basic_auth_username: null,
  basic_auth_password: null,
  custom_headers: [],
}
const pathsOf = (config: Partial<Config>) =>
  faultsOfConfig({ ...bare, ...config }).map(({ path }) => path.replace('config.', ''))
const header = (header_name: string, header_value = 'x') => ({
  custom_headers: [{ header_name, header_value }],
})

describe('a header name is rejected', () => {
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Content-Type',
    'connection',
    'upgrade',
    'expect',
    'webhook-id',
    'Webhook-Signature',
    'webhook-anything',
    'x y',
    'x:y',
    'x\r\ny',
    'x\ny',
    'é',
    '',
    'x\u0000',
  ]) {
    test(JSON.stringify(name), () => {
      assert.deepEqual(pathsOf(header(name)), ['custom_headers.0.header_name'])
    })
  }
})

describe('a header value is rejected', () => {
  for (const value of ['a\r\nhost: b', 'a\nb', 'a\rb', 'a\u0000b', ' a', 'a ', 'é', '\u2028', '']) {
    test(JSON.stringify(value), () => {
      assert.deepEqual(pathsOf(header('x-key', value)), ['custom_headers.0.header_value'])
    })
  }
})

test('names, values and credentials of an ordinary kind are taken', () => {
  for (const config of [
    {},
    header('X-Api-Key', 'a b\t"c"; d=~'),
    header('Authorization', 'Bearer abc'),
    { basic_auth_username: 'shop', basic_auth_password: 'pä:ss wörd' },
  ]) {
    assert.deepEqual(pathsOf(config), [])
  }
})

test('a name twice, in any case, is rejected at its second place', () => {
  const custom_headers = ['x-a', 'x-b', 'X-A'].map((header_name) => ({
    header_name,
    header_value: '1',
  }))
  assert.deepEqual(pathsOf({ custom_headers }), ['custom_headers.2.header_name'])
})

test('username and password come together, and authorization is theirs then', () => {
  assert.deepEqual(pathsOf({ basic_auth_username: 'a' }), ['basic_auth_password'])
  assert.deepEqual(pathsOf({ basic_auth_password: 'a' }), ['basic_auth_username'])
  assert.deepEqual(pathsOf({ basic_auth_username: 'a:b', basic_auth_password: 'c' }), [
    'basic_auth_username',
  ])
  assert.deepEqual(pathsOf({ basic_auth_username: 'a', basic_auth_password: 'c\n' }), [
    'basic_auth_password',
  ])
  const both = { basic_auth_username: 'a', basic_auth_password: 'b' }
  assert.deepEqual(pathsOf({ ...both, ...header('Authorization') }), [
    'custom_headers.0.header_name',
  ])
})
