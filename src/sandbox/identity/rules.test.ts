import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { typeOf } from './media.ts'
import { kycAnswerFor } from './rules.ts'
import { languageOf } from './texts.ts'
import { newToken, tenantIn } from './token.ts'

describe('the simulated KYC provider', () => {
  for (const [last_name, purpose, result, matches] of [
    ['pass', 'KYC', 'OK', 0],
    ['PASS', 'KYC', 'OK', 0],
    [' Fail', 'KYC', 'FAILED', 0],
    ['passing', 'KYC', 'COMPLIANCE', 0],
    ['', 'KYC', 'COMPLIANCE', 0],
    ['Match ', 'KYC', 'COMPLIANCE', 1],
    ['watched', 'KYC', 'OK', 0],
    ['watched', 'ONGOING', 'COMPLIANCE', 1],
    ['pass', 'ONGOING', 'OK', 0],
  ] as const) {
    test(`${JSON.stringify(last_name)} at ${purpose}: ${result}, matches: ${matches}`, () => {
      const answer = kycAnswerFor(purpose, { id: 'someone', last_name })
      assert.deepEqual([answer.result, answer.matches.length], [result, matches])
    })
  }
})

describe('tokens', () => {
  const tenant = '0190d5a0-0000-7000-8000-000000000001'

  test('name their tenant, and no two are alike', () => {
    const [one, other] = [newToken(tenant), newToken(tenant)]
    assert.equal(tenantIn(one), tenant)
    assert.notEqual(one, other)
  })

  for (const [name, change] of [
    ['cut', (token: string) => token.slice(0, -1)],
    ['longer', (token: string) => `${token}A`],
    ['without its prefix', (token: string) => token.slice(4)],
    ['with another alphabet', (token: string) => `${token.slice(0, -1)}+`],
  ] as const) {
    test(`${name} name none`, () => assert.equal(tenantIn(change(newToken(tenant))), undefined))
  }
})

describe('files', () => {
  const table: [name: string, head: string, document?: string | undefined, face?: string][] = [
    ['JPEG', 'ffd8ffe000104a464946', 'image/jpeg', 'image/jpeg'],
    ['PNG', '89504e470d0a1a0a0000', 'image/png', 'image/png'],
    ['WebP', '524946460000000057454250', 'image/webp', 'image/webp'],
    ['HEIC', '00000018667479706865696330', 'image/heic', 'image/heic'],
    ['PDF', '255044462d312e37', 'application/pdf'],
    ['MP4', '000000186674797069736f6d', undefined, 'video/mp4'],
    ['QuickTime', '00000014667479707174202030', undefined, 'video/mp4'],
    ['WebM', '1a45dfa30100', undefined, 'video/webm'],
    ['HTML', '3c21646f63747970652068746d6c3e'],
    ['ELF', '7f454c460201'],
    ['a byte', 'ff'],
  ]
  for (const [name, hex, document, face] of table) {
    test(`${name} as a document: ${document ?? 'no'}, as a face: ${face ?? 'no'}`, () => {
      const head = Buffer.from(hex, 'hex')
      assert.equal(typeOf('document_front', head), document)
      assert.equal(typeOf('face', head), face)
    })
  }
})

test('the address chooses the language before the browser does', () => {
  assert.equal(languageOf('ar', 'en-US,en;q=0.9'), 'ar')
  assert.equal(languageOf('', 'ar-AE, en'), 'ar')
  assert.equal(languageOf('fr', 'de'), 'en')
})
