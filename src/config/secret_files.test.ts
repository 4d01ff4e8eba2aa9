import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { registry } from '#adapters/registry.ts'
import { readVariables } from '#kit/settings/read.ts'
import { configFaults } from '#test/support/deploy/config_faults.ts'
import { readConfig } from './config.ts'
import { newKeyWrapper } from './key_wrapper.ts'
import { Variables } from './variables.ts'

const KEY = '8f3a91c27be4056d12f9a86c3d70e5b14c9827fe60ab35d8917243ce0b5f6ad1'
const URL_OF_DATABASE = 'postgresql://bezant:hidden-word@db.example/cards'
const folder = mkdtempSync(join(tmpdir(), 'bezant-secrets-'))
after(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o444 })
  return path
}

const key = fileOf('master_key', `${KEY}\n`)

test('secrets are read from the files that _FILE variables name', () => {
  const config = readConfig({
    MODE: 'live',
    MASTER_KEY_FILE: key,
    DATABASE_URL_FILE: fileOf('database_url', `${URL_OF_DATABASE}\r\n`),
    BLOB_STORE_URL: 'https://files.example/bezant',
    BLOB_STORE_ACCESS_KEY_FILE: fileOf('access', 'reader'),
    BLOB_STORE_SECRET_KEY_FILE: fileOf('secret', 'a secret\n'),
  })
  assert.equal(config.master_key?.reveal(), KEY)
  assert.equal(config.database_url?.reveal(), URL_OF_DATABASE)
  assert.equal(config.storage.bucket?.access_key, 'reader')
  assert.equal(config.storage.bucket?.secret_key.reveal(), 'a secret')
})

test('these variables may be in files, and no others', () => {
  const folders = mkdtempSync(join(folder, 'all-'))
  const tables = [Variables, ...registry.map(({ variables }) => variables)]
  const found = tables.flatMap((table) =>
    Object.keys(table.properties).filter((name) => {
      const { faults } = readVariables(table, { [`${name}_FILE`]: folders })
      return faults.some((line) => line.startsWith(`${name}_FILE cannot be read (EISDIR)`))
    }),
  )
  assert.deepEqual(found.sort(), [
    ...['BLOB_STORE_ACCESS_KEY', 'BLOB_STORE_SECRET_KEY', 'BUREAU_LAYOUT', 'BUREAU_PGP_KEY'],
    ...['BUREAU_SFTP_KEY', 'BUREAU_SFTP_PASSWORD', 'BUREAU_SIGNING_KEY'],
    ...['BUREAU_SIGNING_PASSPHRASE', 'BUREAU_ZPK', 'DATABASE_URL', 'HSM_TRANSPORT_KEY'],
    ...['HSM_TRANSPORT_KEY_LMK', 'ISSUER_ACS_KEY', 'MASTER_KEY', 'ONFIDO_API_TOKEN'],
    ...['ONFIDO_WEBHOOK_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS', 'SMTP_URL'],
  ])
})

test('a variable beside its file is a fault', () => {
  const message = configFaults({ MODE: 'live', MASTER_KEY: KEY, MASTER_KEY_FILE: key })
  assert.equal(message, 'MASTER_KEY and MASTER_KEY_FILE are both set: set one')
})

test('a file that is missing or empty is the only fault, in live too', () => {
  const missing = configFaults({ MODE: 'live', MASTER_KEY_FILE: join(folder, 'missing') })
  const account = 'let this account read the file'
  assert.equal(missing, `MASTER_KEY_FILE cannot be read (ENOENT): ${account}`)
  const empty = configFaults({ MODE: 'live', MASTER_KEY_FILE: fileOf('empty', ' \n') })
  assert.equal(empty, 'MASTER_KEY_FILE names an empty file: write the value into it')
})

test('the content of a file has the rules of its variable, and is not repeated', () => {
  const DATABASE_URL_FILE = fileOf('wrong', 'mysql://hidden-word')
  const message = configFaults({ DATABASE_URL_FILE })
  assert.match(message, /^DATABASE_URL must be an address of PostgreSQL: /)
  assert.doesNotMatch(message, /hidden-word/)
  assert.match(
    configFaults({ MASTER_KEY_FILE: fileOf('weak', '00'.repeat(32)) }),
    /^MASTER_KEY is /,
  )
})

test('the key that data keys move to may be in a file', () => {
  const config = readConfig({ MODE: 'live', MASTER_KEY_FILE: key })
  newKeyWrapper({ MASTER_KEY_FILE_NEW: key }, config)
  const both = { MASTER_KEY_NEW: KEY, MASTER_KEY_FILE_NEW: key }
  assert.throws(
    () => newKeyWrapper(both, config),
    /^ConfigError: MASTER_KEY_NEW and MASTER_KEY_FILE_NEW are both set: set one$/,
  )
})
