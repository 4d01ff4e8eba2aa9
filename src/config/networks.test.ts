import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readNetworks } from './networks.ts'

const folder = mkdtempSync(join(tmpdir(), 'networks-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'networks.json')

const network = {
  ...({ dialect: 'ascii', header: 'binary2', port: 8583 } as const),
  ...{ allow: ['10.0.0.0/8'], connections: 100, connections_per_address: 20 },
}

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  const faults: string[] = []
  const networks = readNetworks({ networks_file: file, network }, faults)
  return { networks, faults }
}

const one = { name: 'scheme', role: 'listen', addresses: ['127.0.0.1:9100'] }
const mac = { required: true, algorithm: 'iso9797_3' }

test('without a file there is no network of it', () => {
  assert.equal(readNetworks({ networks_file: null, network }, []), null)
})

test('a network has what its entry says, and else what the single port has', () => {
  const { networks, faults } = read([
    one,
    {
      ...{ name: 'switch', role: 'connect', addresses: ['a.example:1', 'b.example:2'] },
      ...{ dialect: 'bcd', header: 'binary2_00', envelope: 'base1', echo_s: 60, mac },
      ...{ keys: { zmk_file: '/keys/zmk.hex' }, billing: 'scheme', codes: 'mastercard' },
      ...{ bins: ['400000'], track2_fill: 'right_f', deadline_ms: 2_000, institution: '123' },
    },
  ])
  assert.deepEqual(faults, [])
  const [first, second] = networks ?? []
  assert.partialDeepStrictEqual(first, {
    ...{ sign_on: 'peer', dialect: 'ascii', envelope: 'none', echo_s: 30, codes: 'generic' },
    ...{ billing: 'own', deadline_ms: 1_500, bins: null, mac: null, zmk_file: null },
    allow: ['10.0.0.0/8'],
  })
  assert.partialDeepStrictEqual(second, {
    sign_on: 'us',
    addresses: [
      { host: 'a.example', port: 1 },
      { host: 'b.example', port: 2 },
    ],
    mac: { required: true, method: { algorithm: 'iso9797_3', padding: 2 } },
    zmk_file: '/keys/zmk.hex',
  })
})

const sftp = { sftp: 'sftp://bank@scheme.example/out/', host_key: `SHA256:${'A'.repeat(43)}=` }
const TENANT = '0197f2a0-0000-7000-8000-000000000001'

test('clearing files of a network appear in a folder, or at a server by SFTP', () => {
  const { networks, faults } = read([
    { ...one, clearing: { folder: '/clearing/scheme' } },
    {
      ...{ ...one, name: 'other', addresses: ['127.0.0.1:9101'] },
      clearing: { ...sftp, key_file: '/keys/ssh', tenant_id: TENANT, look_s: 5 },
    },
  ])
  assert.deepEqual(faults, [])
  assert.deepEqual(
    networks?.map(({ clearing }) => clearing),
    [
      { place: { folder: '/clearing/scheme' }, tenant_id: null, look_s: 60 },
      {
        place: {
          sftp: { host: 'scheme.example', port: 22, user: 'bank', folder: '/out' },
          host_key: `SHA256:${'A'.repeat(43)}`,
          ...{ secret: 'key', secret_file: '/keys/ssh' },
        },
        ...{ tenant_id: TENANT, look_s: 5 },
      },
    ],
  )
})

const places: [what: string, clearing: object][] = [
  ['no place', {}],
  ['a folder of the folder of the program', { folder: 'here' }],
  ['a folder and a server', { folder: '/in', ...sftp, key_file: '/k' }],
  ['no host key', { sftp: sftp.sftp, key_file: '/k' }],
  ['a host key of another form', { ...sftp, host_key: 'MD5:00', key_file: '/k' }],
  ['neither key nor password', sftp],
  ['key and password', { ...sftp, key_file: '/k', password_file: '/p' }],
  ['a password in the address', { ...sftp, sftp: 'sftp://bank:secret@h/out', key_file: '/k' }],
  ['no folder of the server', { ...sftp, sftp: 'sftp://bank@h', key_file: '/k' }],
]

const wrong: [what: string, content: unknown, said: RegExp][] = [
  ['no JSON', 'listen', /is no JSON/],
  ['no array', {}, /is no such array/],
  [
    'an unknown member',
    [{ ...one, colour: 'red' }],
    /network 1 must have name, role and addresses/,
  ],
  ['a wrong name', [{ ...one, name: 'A b' }], /network 1 has a wrong name/],
  ['a wrong role', [{ ...one, role: 'both' }], /has a wrong role: listen or connect/],
  ['no port', [{ ...one, addresses: ['127.0.0.1'] }], /has wrong addresses/],
  ['two addresses to listen at', [{ ...one, addresses: ['a:1', 'b:2'] }], /has wrong addresses/],
  ['an unknown dialect', [{ ...one, dialect: 'morse' }], /has a wrong dialect/],
  ['an unknown header', [{ ...one, header: 'none' }], /has a wrong header: choose one of binary2/],
  ['an unknown envelope', [{ ...one, envelope: 'x' }], /has a wrong envelope/],
  ['an unknown map', [{ ...one, codes: 'x' }], /has wrong codes/],
  ['an unknown algorithm', [{ ...one, mac: { ...mac, algorithm: 'md5' } }], /has a wrong mac/],
  ['a MAC without keys', [{ ...one, mac }], /has mac and no keys/],
  ...places.map(([what, clearing]): [string, unknown, RegExp] => [
    `a place of clearing files with ${what}`,
    [{ ...one, clearing }],
    /network 1 has wrong clearing: folder, or sftp/,
  ]),
  [
    'a place of a tenant that is no id',
    [{ ...one, clearing: { folder: '/in', tenant_id: 'bank' } }],
    /tenant_id is no id/,
  ],
  [
    'two of one name',
    [one, { ...one, addresses: ['a:1'] }],
    /network 2 has the name of another one/,
  ],
  ['two at one port', [one, { ...one, name: 'b' }], /network 2 listens at the port of another one/],
  ['the port of NETWORK_PORT', [{ ...one, addresses: ['a:8583'] }], /listens at NETWORK_PORT/],
]
for (const [what, content, said] of wrong) {
  test(`${what} is a fault that says what to change`, () => {
    const { faults } = read(content)
    assert.equal(faults.length, 1)
    assert.match(faults[0] ?? '', said)
  })
}

test('a file that cannot be read is a fault', () => {
  const faults: string[] = []
  readNetworks({ networks_file: join(folder, 'none.json'), network }, faults)
  assert.match(faults[0] ?? '', /cannot be read \(ENOENT\)/)
})
