import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { databaseUnusable, explain } from './explain.ts'

const unusable = (message: string, code?: string) =>
  databaseUnusable(Object.assign(new Error(message), { code })).message

test('a certificate of the database that is not trusted, has ended or names another host', () => {
  for (const code of [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])
    assert.match(unusable('no', code), /\(no\): name the file of the CA .*&sslrootcert=/)
  assert.match(unusable('over', 'CERT_HAS_EXPIRED'), /\(over\): renew its certificate$/)
  assert.match(unusable('no', 'ERR_TLS_CERT_ALTNAME_INVALID'), /name the host .* certificate does$/)
})

test('a password that is asked for and in no address', () => {
  const message = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'
  assert.match(unusable(message), /: add the password to DATABASE_URL$/)
})

test('a socket without a server is no wrong file', () => {
  const message = 'connect ENOENT /run/postgresql/.s.PGSQL.5432'
  assert.match(unusable(message, 'ENOENT'), /: start that database, or correct DATABASE_URL$/)
})

test('a full disk, of the program and of the database', () => {
  const full = Object.assign(new Error('ENOSPC: no space left, write'), { code: 'ENOSPC' })
  assert.deepEqual(explain(full), [
    'ENOSPC: no space left, write: make room on that disk, or set DATA_DIR',
  ])
  const cause = Object.assign(new Error('could not extend file'), { code: '53100' })
  assert.deepEqual(explain(new DatabaseUnavailable(cause)), [
    'the database cannot be used (could not extend file): make room on its disk',
  ])
})
