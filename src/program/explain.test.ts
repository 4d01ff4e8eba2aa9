import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUnusable } from './explain.ts'

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
