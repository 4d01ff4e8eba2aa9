import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Secret } from '#lib/secret.ts'
import { faultsOfReading } from '#test/support/deploy/config_faults.ts'
import { readConfig } from './config.ts'
import { newKeyWrapper } from './key_wrapper.ts'

const KEY = '8f14e45fceea167a5a36dedd4bea2543f1c0b27b9d0c4f7e6a5b3c2d1e0f9a87'
const TOKEN = 's.hidden-word'
const kms = { KMS_URL: 'https://keys.example/', KMS_KEY: 'bezant', KMS_TOKEN: TOKEN }
const live = { MODE: 'live', ...kms }

function messageOf(read: () => unknown): string {
  const message = faultsOfReading(read)
  assert.doesNotMatch(message, /hidden-word|8f14e45f/)
  return message
}

test('a key service replaces the master key, also in live', () => {
  const config = readConfig(live)
  assert.equal(config.master_key, null)
  assert.equal(config.kms?.url, 'https://keys.example')
  assert.ok(config.kms.token instanceof Secret)
  assert.equal(config.kms.token.reveal(), TOKEN)
  const from = readConfig({ ...kms, KMS_TOKEN: '', KMS_TOKEN_FILE: '/run/token' }).kms
  assert.deepEqual(from?.token, { file: '/run/token' })
})

test('no form of the configuration shows a token', () => {
  assert.doesNotMatch(inspect(readConfig(live), { depth: null, showHidden: true }), /hidden-word/)
})

test('what cannot be is one line that names the variable and what to do', () => {
  const wrong: [env: Record<string, string>, words: RegExp][] = [
    [{ ...kms, MASTER_KEY: KEY }, /^MASTER_KEY and KMS_URL are both set: keep the one that/],
    [{ ...kms, KMS_URL: '' }, /^KMS_URL is missing beside other KMS_ variables: set it/],
    [{ ...kms, KMS_URL: 'keys.example' }, /^KMS_URL must be an http or https address/],
    [{ ...kms, KMS_URL: 'https://u:hidden-word@keys.example' }, /^KMS_URL must be an http/],
    [{ ...live, KMS_URL: 'http://keys.example' }, /^KMS_URL must start with https:.* live: data/],
    [{ ...kms, KMS_KEY: '' }, /^KMS_KEY must be the name of a transit key: set it/],
    [{ ...kms, KMS_KEY: 'a/../b' }, /^KMS_KEY must be the name/],
    [{ ...kms, KMS_TOKEN: '' }, /^one of KMS_TOKEN or KMS_TOKEN_FILE must be set, and not both/],
    [{ ...kms, KMS_TOKEN_FILE: '/run/token' }, /^one of KMS_TOKEN or KMS_TOKEN_FILE must be set/],
  ]
  for (const [env, words] of wrong) {
    const message = messageOf(() => readConfig(env))
    assert.match(message, words)
    assert.doesNotMatch(message, /\n/)
  }
  const local = { ...live, KMS_URL: 'http://127.0.0.1:8200' }
  assert.equal(readConfig(local).kms?.url, 'http://127.0.0.1:8200')
})

test('data keys move to one new master key or to one key service', () => {
  const config = readConfig({ MODE: 'live', MASTER_KEY: KEY })
  const news = { KMS_URL_NEW: kms.KMS_URL, KMS_KEY_NEW: 'bezant', KMS_TOKEN_NEW: TOKEN }
  newKeyWrapper({ MASTER_KEY_NEW: KEY }, config)
  newKeyWrapper(news, config)
  const one = /^one of MASTER_KEY_NEW or KMS_URL_NEW must be set, and not both$/
  assert.match(
    messageOf(() => newKeyWrapper({}, config)),
    one,
  )
  assert.match(
    messageOf(() => newKeyWrapper({ ...news, MASTER_KEY_NEW: KEY }, config)),
    one,
  )
  assert.match(
    messageOf(() => newKeyWrapper({ MASTER_KEY_NEW: '00'.repeat(32) }, config)),
    /^MASTER_KEY_NEW is too regular/,
  )
  assert.match(
    messageOf(() => newKeyWrapper({ ...news, KMS_KEY_NEW: '' }, config)),
    /^KMS_KEY_NEW must be the name/,
  )
})
