/** The keys of a folder that is used with several databases (D-941). */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { otherSandboxes, readSandbox, type SandboxFile, writeSandbox } from './file.ts'

const fileOf = (operator_key: string): SandboxFile => ({
  base_url: 'http://127.0.0.1:8080',
  network: { host: '127.0.0.1', port: 8583, dialect: 'ascii', header: 'binary2' },
  operator_key,
  tenant: { id: 'a', name: 'Demo', api_key: 'k', currency: 'AED', card_product_id: 'p' },
  merchant: { name: 'shop', public_key: 'u', private_key: 'v' },
})

test('the keys of the ten databases before the last are kept, each in a file of its own', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-sandbox-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sandbox.json')
  assert.equal(writeSandbox(path, fileOf('key-0')), undefined)
  for (let number = 1; number <= 12; number++) {
    const kept = writeSandbox(path, fileOf(`key-${number}`)) ?? ''
    assert.equal(readSandbox(kept)?.operator_key, `key-${number - 1}`)
    assert.equal(statSync(kept).mode & 0o777, 0o600)
    utimesSync(kept, number, number)
  }
  assert.equal(readSandbox(path)?.operator_key, 'key-12')
  const others = otherSandboxes(path).map((other) => readSandbox(other)?.operator_key)
  const newest = Array.from({ length: 10 }, (_, at) => `key-${11 - at}`)
  assert.deepEqual(others, newest)
  assert.equal(readdirSync(folder).length, 11)
})

test('new addresses of the same keys leave no other file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-sandbox-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sandbox.json')
  writeSandbox(path, fileOf('key'))
  assert.equal(writeSandbox(path, { ...fileOf('key'), base_url: 'http://[::1]:1' }), undefined)
  assert.deepEqual(readdirSync(folder), ['sandbox.json'])
})
