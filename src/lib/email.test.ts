import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmail, normalEmail, shownEmail } from './email.ts'

test('the spellings of one mailbox are one address', () => {
  for (const spelling of [
    'v@shop.example',
    '  V@Shop.EXAMPLE\n',
    '\u200ev@shop.example\u200f',
    '\u2068v@shop.example\u2069',
    '\u00a0v@shop.example\u200b\ufeff',
    'ｖ＠ｓｈｏｐ．ｅｘａｍｐｌｅ',
    'v@shop。example',
  ]) {
    assert.equal(normalEmail(spelling), 'v@shop.example', JSON.stringify(spelling))
  }
})

test('a domain is known by its A-labels', () => {
  for (const domain of ['bücher.example', 'BÜCHER.Example', 'bu\u0308cher.example']) {
    assert.equal(normalEmail(`v@${domain}`), 'v@xn--bcher-kva.example')
  }
  assert.equal(normalEmail('v@XN--bcher-KVA.example'), 'v@xn--bcher-kva.example')
  assert.equal(normalEmail('مثال@مثال.example'), 'مثال@xn--mgbh0fb.example')
})

test('what is no address, or has a character that is not seen, is none', () => {
  for (const text of [
    ...['', '@', 'v', 'v@', '@shop.example', 'v@shop', 'v@@shop.example', 'v@b@shop.example'],
    ...['<v@shop.example>', 'V <v@shop.example>', 'mailto:v@shop.example', 'v@shop.example,w@x.y'],
    ...['"v"@shop.example', 'v(a)@shop.example', 'v..w@shop.example', '.v@shop.example'],
    ...['v@shop.example.', 'v@.example', 'v@-shop.example', 'v@sh_op.example', 'v@[192.0.2.1]'],
    ...['v@192.0.2.1', 'v@0x7f.1', 'v@shop%2eexample', 'v w@shop.example', 'v\\@shop.example'],
    ...[
      'v@sh\u200bop.example',
      'v@sh\u00adop.example',
      'v\u200d@shop.example',
      'v@shop\u202e.example',
    ],
    ...[
      'v\ufe0f@shop.example',
      'v\u034f@shop.example',
      'v\u0000@shop.example',
      'v@shop.example\ud800',
    ],
    ...[`${'v'.repeat(65)}@shop.example`, `v@${'a'.repeat(64)}.example`, `v@${'a.'.repeat(130)}ae`],
  ]) {
    assert.equal(isEmail(text), false, JSON.stringify(text))
  }
})

test('an address is shown as it was written, without what is around it', () => {
  assert.equal(shownEmail(' \u200fV@Bücher.example\u200b '), 'V@Bücher.example')
})

test('a text of any kind is looked at in a time that grows as it does', () => {
  for (const text of ['a.'.repeat(20_000), '\u200f '.repeat(20_000), `${'a'.repeat(40_000)}@`]) {
    assert.equal(isEmail(`${text}!`), false)
  }
})
