import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const KEYS = { BLOB_STORE_ACCESS_KEY: 'AKIA', BLOB_STORE_SECRET_KEY: 'hidden-word' }
const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return ''
}

test('a bucket and a scanner are read', () => {
  const config = readConfig({
    ...KEYS,
    BLOB_STORE_URL: 'https://s3.example/bezant-files/',
    BLOB_STORE_REGION: 'me-central-1',
    CLAMD_ADDRESS: '[::1]:3310',
  })
  const { bucket, scanner } = config.storage
  assert.equal(bucket?.url, 'https://s3.example/bezant-files')
  assert.equal(bucket.region, 'me-central-1')
  assert.equal(bucket.secret_key.reveal(), 'hidden-word')
  assert.deepEqual(scanner, { host: '::1', port: 3310 })
})

test('an address that cannot be is one fault a variable, without the keys in it', () => {
  for (const url of [
    'ftp://s3.example/files',
    'https://s3.example',
    'https://s3.example/a/b',
    'https://me:hidden-word@s3.example/files',
    'https://s3.example/files?x=1',
    'files',
  ]) {
    const faults = faultsOf({ ...KEYS, BLOB_STORE_URL: url })
    assert.match(faults, /^BLOB_STORE_URL must be/)
    assert.doesNotMatch(faults, /hidden-word/)
  }
  for (const address of ['localhost', '127.0.0.1:0', '127.0.0.1:70000', 'a b:1']) {
    assert.match(faultsOf({ CLAMD_ADDRESS: address }), /^CLAMD_ADDRESS must be host:port/)
  }
})

test('a bucket without its keys is rejected', () => {
  const faults = faultsOf({ BLOB_STORE_URL: 'https://s3.example/files' })
  assert.match(faults, /BLOB_STORE_ACCESS_KEY is missing/)
  assert.match(faults, /BLOB_STORE_SECRET_KEY is missing/)
})

test('where a scanner is required, its address must be named', () => {
  assert.match(faultsOf({ CLAMD_REQUIRED: 'true' }), /^CLAMD_ADDRESS is missing and CLAMD_REQUIRED/)
  assert.match(faultsOf({ CLAMD_REQUIRED: 'yes' }), /^CLAMD_REQUIRED must be true or false/)
  assert.equal(faultsOf({ CLAMD_REQUIRED: 'true', CLAMD_ADDRESS: '127.0.0.1:3310' }), '')
  assert.equal(faultsOf({ CLAMD_REQUIRED: 'false' }), '')
})
