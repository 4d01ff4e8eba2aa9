/** ISSUERS_FILE: the issuers that merchants may name (D-761). */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { faultsOfReading } from '#test/support/deploy/config_faults.ts'
import { readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'issuers-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'issuers.json')

function read(content: unknown, env: Record<string, string> = {}) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readConfig({ ISSUERS_FILE: path, ...env }).issuers
}
const messageOf = (content: unknown): string => faultsOfReading(() => read(content))

const falcon = { name: 'falcon', address: 'issuer.example:8583' }

test('without the file there is the default issuer alone', () => {
  assert.deepEqual([...readConfig({}).issuers], [])
})

test('what an issuer leaves out is as for the default one', () => {
  const network = { NETWORK_DIALECT: 'bcd', NETWORK_HEADER: 'ascii4' }
  const env = { ...network, ISSUER_CONNECTIONS: '4', ISSUER_CLEARING: 'file' }
  assert.deepEqual(read([falcon], env).get('falcon'), {
    name: 'falcon',
    address: { host: 'issuer.example', port: 8583 },
    dialect: 'bcd',
    header: 'ascii4',
    connections: 4,
    clearing: 'file',
    tls: null,
    acs: null,
  })
})

test('every member is read', () => {
  const tls = { ca: 'tls/ca.pem', cert: '/tls/shop.pem', key: '/tls/shop.key' }
  const acs = { url: 'https://falcon.example/', key_file: 'acs.key' }
  const own = { dialect: 'ebcdic', header: 'ascii4', connections: 1, clearing: 'file', tls, acs }
  const issuers = read([falcon, { name: 'palm-2', address: '[::1]:1', ...own }])
  assert.deepEqual([...issuers.keys()], ['falcon', 'palm-2'])
  assert.deepEqual(issuers.get('palm-2'), {
    name: 'palm-2',
    address: { host: '::1', port: 1 },
    dialect: 'ebcdic',
    header: 'ascii4',
    connections: 1,
    clearing: 'file',
    tls: { ca: resolve('tls/ca.pem'), own: { cert: '/tls/shop.pem', key: '/tls/shop.key' } },
    acs: { url: 'https://falcon.example', key_file: resolve('acs.key') },
  })
})

const wrong: [what: string, content: unknown, line: RegExp][] = [
  ['no JSON', '[{', /^ISSUERS_FILE is no JSON: let it be/],
  ['no array', falcon, /^ISSUERS_FILE is no such array: let it be/],
  ['too many issuers', Array(101).fill(falcon), /^ISSUERS_FILE is no such array/],
  ['too many bytes', ' '.repeat(100_001), /^ISSUERS_FILE has more than 100000 bytes/],
  ['an issuer that is none', [null], /^ISSUERS_FILE: issuer 1 must have name and address/],
  ['no address', [{ name: 'falcon' }], /^ISSUERS_FILE: issuer 1 must have name and address/],
  ['a stray member', [{ ...falcon, pin: 1 }], /^ISSUERS_FILE: issuer 1 must have name and/],
  ['a wrong name', [{ ...falcon, name: 'Falcon' }], /^ISSUERS_FILE: issuer 1 has a wrong name/],
  ['the name default', [{ ...falcon, name: 'default' }], /issuer 1 has the name default/],
  ['a name twice', [falcon, falcon], /^ISSUERS_FILE: issuer 2 has the name of another one$/],
  [
    'a server of plain HTTP elsewhere',
    [{ ...falcon, acs: { url: 'http://falcon.example', key_file: '/k' } }],
    /^ISSUERS_FILE: issuer 1 has wrong acs: url, https or on this host, and key_file/,
  ],
  ['a server without a key', [{ ...falcon, acs: { url: 'https://x.example' } }], /has wrong acs/],
  ['a wrong address', [{ ...falcon, address: 'a' }], /^ISSUERS_FILE: issuer 1 has a wrong address/],
  ['a wrong dialect', [{ ...falcon, dialect: 'latin' }], /issuer 1 has a wrong dialect/],
  ['a wrong header', [{ ...falcon, header: 'x' }], /issuer 1 has a wrong header/],
  ['wrong connections', [{ ...falcon, connections: 11 }], /issuer 1 has wrong connections/],
  ['tls without a CA', [{ ...falcon, tls: {} }], /issuer 1 has wrong tls/],
  ['a certificate alone', [{ ...falcon, tls: { ca: 'a', cert: 'b' } }], /issuer 1 has wrong tls/],
]
for (const [what, content, line] of wrong) {
  test(`a file with ${what} is one line`, () => {
    const message = messageOf(content)
    assert.match(message, line)
    assert.doesNotMatch(message, /\n/)
  })
}

test('every faulty issuer has a line, and a file that is missing has one', () => {
  assert.equal(messageOf([{}, falcon, null]).split('\n').length, 2)
  assert.throws(
    () => readConfig({ ISSUERS_FILE: join(folder, 'none.json') }),
    /^ConfigError: ISSUERS_FILE cannot be read \(ENOENT\)/,
  )
})
