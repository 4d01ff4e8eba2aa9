/** Texts from a server, from a file or from a name, as they are written out. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const command = keep(openCommand())

async function serving(bytes: Buffer, type: string) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', type)
    response.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  keep({ close: () => server.close() })
  const { port } = server.address() as AddressInfo
  return { BEZANT_URL: `http://127.0.0.1:${port}`, BEZANT_KEY: 'some-api-key' }
}

describe('an answer', () => {
  test('that is a file is written byte by byte', async () => {
    const file = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x00, 0x80])
    const env = await serving(file, 'application/pdf')
    const child = command.start(['get', '/users/u/identifications/i/files/f:download'], env)
    child.stdin.end()
    assert.deepEqual(await buffer(child.stdout), file)
    const csv = Buffer.from('\ufeffid;amount\r\n')
    const listed = command.start(
      ['get', '/x', '--accept', 'text/csv'],
      await serving(csv, 'text/csv'),
    )
    listed.stdin.end()
    assert.deepEqual(await buffer(listed.stdout), csv)
  })
})

describe('a sentence', () => {
  test('shows the control characters of what it names', async () => {
    const { err, code } = await command.run(['plan', '\u001b[31mred.yaml'], {
      env: { BEZANT_URL: 'http://127.0.0.1:1', BEZANT_KEY: 'some-api-key' },
    })
    assert.equal(code, 1)
    assert.match(err, /^bezant: \\u001b\[31mred\.yaml does not exist\n$/)
  })
})

describe('a file of profiles', () => {
  const folder = join(command.folder, 'bezant')
  const file = join(folder, 'profiles.json')
  const write = (url: string) => {
    mkdirSync(folder, { recursive: true })
    const profile = { url, key: 'some-api-key' }
    writeFileSync(file, JSON.stringify({ current: 'one', profiles: { one: profile } }))
  }

  test('that others may read is remarked upon, and closed by the next change', async () => {
    write('https://issuer.example')
    chmodSync(file, 0o644)
    const listed = await command.run(['profile', 'list'])
    assert.match(listed.err, /profiles\.json has keys that others may read: chmod 600 /)
    assert.equal((await command.run(['profile', 'use', 'one'])).code, 0)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await command.run(['profile', 'list'])).err, '')
  })

  test('that was written by hand sends no key over plain http', async () => {
    write('http://issuer.example')
    chmodSync(file, 0o600)
    const { code, err } = await command.run(['users', 'list'])
    assert.equal(code, 2)
    assert.match(err, /the key would go over plain http: use https/)
    assert.equal((await command.run(['profile', 'remove', 'one'])).code, 0)
  })
})
