import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newId } from '#lib/id.ts'
import { makeSecret, signatureHeaders, signingKey } from './signature.ts'

const TIMES = 1_000
const PARTS = [
  'a',
  'é',
  '漢',
  '😀',
  '👩‍👩‍👧',
  'e\u0301',
  'بط',
  '\u2028',
  '\\n',
  '"',
  '\u0000',
  '\uffff',
  ' ',
]

test('an independent library agrees with 1,000 signatures, and with none that was tampered', () => {
  const secret = makeSecret()
  const verifier = new Webhook(secret)
  for (let time = 0; time < TIMES; time += 1) {
    const text = Array.from({ length: randomInt(60) }, () => PARTS[randomInt(PARTS.length)]).join(
      '',
    )
    const [id, now, body] = [newId(), new Date(), JSON.stringify({ text, time })]
    const headers = signatureHeaders([signingKey(secret)], id, body, now)
    assert.deepEqual(verifier.verify(body, headers), { text, time })
    const other = String(Number(headers['webhook-timestamp']) - 1)
    assert.throws(() => verifier.verify(`${body} `, headers))
    assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': newId() }))
    assert.throws(() => verifier.verify(body, { ...headers, 'webhook-timestamp': other }))
    assert.throws(() => new Webhook(makeSecret()).verify(body, headers))
  }
})

test('two keys sign beside each other, and each is enough', () => {
  const [before, after] = [makeSecret(), makeSecret()]
  const headers = signatureHeaders([signingKey(after), signingKey(before)], 'id', '{}', new Date())
  for (const secret of [before, after]) assert.ok(new Webhook(secret).verify('{}', headers))
})
