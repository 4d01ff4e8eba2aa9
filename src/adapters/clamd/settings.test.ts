import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVariables } from '#kit/settings/read.ts'
import { readConfig } from '#src/config/config.ts'
import { settingsOf, variables } from './settings.ts'

function read(env: Readonly<Record<string, string>>) {
  const { values, faults } = readVariables(variables, env)
  const settings = settingsOf(values, { faults, live: true })
  return { settings, faults: faults.join('\n') }
}

test('without an address no scanner is configured', () => {
  assert.deepEqual(read({}), { settings: undefined, faults: '' })
})

test('the address of the scanner is read', () => {
  assert.deepEqual(read({ CLAMD_ADDRESS: '[::1]:3310' }).settings, { host: '::1', port: 3310 })
})

test('an address that cannot be is one fault', () => {
  for (const address of ['localhost', '127.0.0.1:0', '127.0.0.1:70000', 'a b:1']) {
    assert.match(read({ CLAMD_ADDRESS: address }).faults, /^CLAMD_ADDRESS must be host:port/)
    assert.throws(() => readConfig({ CLAMD_ADDRESS: address }), /^ConfigError: CLAMD_ADDRESS must/)
  }
})

test('where a scanner is required, its address must be named', () => {
  const missing = /^CLAMD_ADDRESS is missing and CLAMD_REQUIRED/
  assert.match(read({ CLAMD_REQUIRED: 'true' }).faults, missing)
  assert.match(read({ CLAMD_REQUIRED: 'yes' }).faults, /^CLAMD_REQUIRED must be true or false/)
  assert.equal(read({ CLAMD_REQUIRED: 'true', CLAMD_ADDRESS: '127.0.0.1:3310' }).faults, '')
  assert.equal(read({ CLAMD_REQUIRED: 'false' }).faults, '')
})
