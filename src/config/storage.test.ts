import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFaults } from '#test/support/deploy/config_faults.ts'
import { readConfig } from './config.ts'

const KEYS = { BLOB_STORE_ACCESS_KEY: 'AKIA', BLOB_STORE_SECRET_KEY: 'hidden-word' }

test('a bucket is read', () => {
  const config = readConfig({
    ...KEYS,
    BLOB_STORE_URL: 'https://s3.example/bezant-files/',
    BLOB_STORE_REGION: 'me-central-1',
  })
  const { bucket } = config.storage
  assert.equal(bucket?.url, 'https://s3.example/bezant-files')
  assert.equal(bucket.region, 'me-central-1')
  assert.equal(bucket.secret_key.reveal(), 'hidden-word')
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
    const faults = configFaults({ ...KEYS, BLOB_STORE_URL: url })
    assert.match(faults, /^BLOB_STORE_URL must be/)
    assert.doesNotMatch(faults, /hidden-word/)
  }
})

test('a bucket without its keys is rejected', () => {
  const faults = configFaults({ BLOB_STORE_URL: 'https://s3.example/files' })
  assert.match(faults, /BLOB_STORE_ACCESS_KEY is missing/)
  assert.match(faults, /BLOB_STORE_SECRET_KEY is missing/)
})
