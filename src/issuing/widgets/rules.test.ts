import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkOrigin } from './rules.ts'

const live = { plain_http: false }
const sandbox = { plain_http: true }

describe('checkOrigin', () => {
  for (const [text, origin] of [
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.Example:443', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://متجر.example', 'https://xn--pgbep1f.example'],
    ['https://10.0.0.1:1', 'https://10.0.0.1:1'],
    ['https://a-b.c--d.example', 'https://a-b.c--d.example'],
  ] as const) {
    test(`accepts ${text} as ${origin}`, () => {
      assert.deepEqual(checkOrigin(text, live), { ok: true, value: origin })
    })
  }

  test('accepts plain http in sandbox only', () => {
    for (const origin of ['http://127.0.0.1:3000', 'http://localhost', 'http://shop.example']) {
      assert.equal(checkOrigin(origin, sandbox).ok, true)
      assert.equal(checkOrigin(origin, live).ok, false)
    }
  })

  for (const wrong of [
    '', '*', 'null', 'shop.example', '//shop.example', 'https:', 'https://', 'https:shop.example',
    'ftp://shop.example', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc',
    'https://shop.example/', 'https://shop.example/a', 'https://shop.example?a', 'https://a#b',
    'https://user@shop.example', 'https://user:word@shop.example', 'https://shop.example\\a',
    'https://*', 'https://*.shop.example', 'https://shop.example;script-src', 'https://a,b',
    "https://a'b", 'https://a b', 'https://a\tb', ' https://shop.example', 'https://shop.example\n',
    'https://shop..example', 'https://-a.example', 'https://shop.example.', 'https://a:99999',
    'https://[::1]', 'https://a%00b', `https://${'a'.repeat(254)}`,
  ]) test(`rejects ${JSON.stringify(wrong).slice(0, 40)}`, () => {
      const result = checkOrigin(wrong, sandbox)
      assert.equal(!result.ok && result.errors?.[0]?.path, 'origin')
    }) // biome-ignore format: a list.
})
