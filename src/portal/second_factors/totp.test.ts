import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { digestOfRecoveryCode, newRecoveryCodes } from './recovery.ts'
import { describeTotp, newTotpSecret, stepOfCode } from './totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test('the codes are those of RFC 6238, appendix B, by their last six digits', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(stepOfCode(RFC_SECRET, code, at(seconds)), BigInt(Math.floor(seconds / 30)))
  }
})

test('a code is accepted one step before and after its own, with the number of its step', () => {
  const seconds = 1_111_111_110
  const step = BigInt(seconds / 30)
  const code = '050471'
  for (const offset of [-30, -1, 0, 29, 59]) {
    assert.equal(stepOfCode(RFC_SECRET, code, at(seconds + offset)), step, String(offset))
  }
  for (const offset of [-31, 60]) {
    assert.equal(stepOfCode(RFC_SECRET, code, at(seconds + offset)), undefined, String(offset))
  }
})

test('what is not six digits is no code', () => {
  for (const code of ['', '28708', '2870822', ' 287082', '28708a', '２８７０８２', '287082\n']) {
    assert.equal(stepOfCode(RFC_SECRET, code, at(59)), undefined, code)
  }
})

test('an authenticator app learns the secret and the parameters from the URI', () => {
  const { secret, uri } = describeTotp(RFC_SECRET, { issuer: 'Bank & Co', label: 'a@b.example' })
  assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const url = new URL(uri)
  assert.equal(url.protocol, 'otpauth:')
  assert.equal(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''), 'Bank & Co:a@b.example')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'Bank & Co',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('secrets have 160 random bits', () => {
  const secrets = Array.from({ length: 50 }, () => newTotpSecret())
  assert.ok(secrets.every(({ length }) => length === 20))
  assert.equal(new Set(secrets.map((one) => one.toString('hex'))).size, 50)
})

const keys = {
  digest: (_purpose: string, data: string) => createHmac('sha256', 'key').update(data).digest(),
}

test('there are ten recovery codes, and none is another', () => {
  const codes = newRecoveryCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^[0-9a-hj-km-np-tv-z]{5}-[0-9a-hj-km-np-tv-z]{5}$/)
})

test('a recovery code has one digest however it is typed, and another for another person', () => {
  const [code = ''] = newRecoveryCodes()
  const digest = digestOfRecoveryCode(keys, 'ann', code)
  assert.ok(digest)
  for (const typed of [code.toUpperCase(), code.replace('-', ''), ` ${code} `]) {
    assert.deepEqual(digestOfRecoveryCode(keys, 'ann', typed), digest, typed)
  }
  assert.notDeepEqual(digestOfRecoveryCode(keys, 'bob', code), digest)
  for (const typed of ['', '123456', code.slice(1), `${code}0`, code.replace(/^./, 'u')]) {
    assert.equal(digestOfRecoveryCode(keys, 'ann', typed), undefined, typed)
  }
})
