/** Deliveries and questions are verified, as they are signed by Standard Webhooks. */

import assert from 'node:assert/strict'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { responder, webhooks } from '#client/index.ts'
import { test } from './harness.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

const event = { event: 'PING', id: 'e1', created: '2026-01-15T09:00:00.000Z', webhook_id: 'w1' }

/** A body with the headers that sign it, at this moment unless another is given. */
function signed(content: unknown, at = new Date()) {
  const body = JSON.stringify(content)
  const headers = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('e1', at, body),
  }
  return { body, headers }
}

test('unwrap returns the event of a delivery, whatever has its headers and its body', () => {
  const { body, headers } = signed(event)
  const raised = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  for (const given of [headers, new Headers(headers), raised, { ...headers, accept: undefined }]) {
    assert.deepEqual(webhooks.unwrap(body, given, SECRET), event)
  }
  assert.deepEqual(webhooks.unwrap(Buffer.from(body), headers, SECRET), event)
})

test('unwrap refuses another body, another secret, an old timestamp and missing headers', () => {
  const { body, headers } = signed(event)
  const old = signed(event, new Date(Date.now() - 6 * 60_000))
  const refused: [string, Record<string, string>, string][] = [
    [body.replace('w1', 'w2'), headers, SECRET],
    [body, headers, OTHER],
    [old.body, old.headers, SECRET],
    [body, {}, SECRET],
  ]
  for (const [given, of, secret] of refused) {
    assert.throws(() => webhooks.unwrap(given, of, secret), WebhookVerificationError)
  }
})

test('unwrap takes several secrets, while one is rotated', () => {
  const { body, headers } = signed(event)
  assert.deepEqual(webhooks.unwrap(body, headers, [OTHER, SECRET]), event)
  assert.throws(() => webhooks.unwrap(body, headers, [OTHER]), WebhookVerificationError)
  assert.throws(() => webhooks.unwrap(body, headers, []), WebhookVerificationError)
})

test('the kind of an event decides which members it has', () => {
  const { body, headers } = signed(event)
  const received = webhooks.unwrap(body, headers, SECRET)
  // It compiles only if the type is known by the kind.
  if (received.event === 'TRANSACTION') assert.fail(received.card_transaction.status)
  const ping: webhooks.EventOf<'PING'> | undefined =
    received.event === 'PING' ? received : undefined
  assert.equal(ping?.webhook_id, 'w1')
})

const question = { id: 't1', amount: 60, merchant: { mcc: '7995' } }
const options: responder.ResponderOptions = {
  secret: SECRET,
  decide: ({ amount, merchant }) =>
    merchant?.mcc === '7995' ? { approved: true, amount: (amount ?? 0) / 2 } : { approved: true },
}

test('a question that is signed is decided and answered', async () => {
  const { body, headers } = signed(question)
  const answer = { status: 200, body: '{"approved":true,"amount":30}' }
  assert.deepEqual(await responder.answer(body, headers, options), answer)
})

test('a question that is not signed is answered 401 and not decided', async () => {
  const { body, headers } = signed(question)
  const decide = () => assert.fail('it was asked')
  const answer = await responder.answer(`${body} `, headers, { secret: SECRET, decide })
  assert.equal(answer.status, 401)
})

test('an error of the decision is thrown, so that the default action is used', async () => {
  const { body, headers } = signed(question)
  const decide = () => Promise.reject(new Error('no rule'))
  const answer = responder.answer(body, headers, { secret: SECRET, decide })
  await assert.rejects(answer, { message: 'no rule' })
  // A secret that is none is a fault of the program, and not of who asks.
  await assert.rejects(responder.answer(body, headers, { secret: '', decide }))
})

test('the handler answers a Request with a Response', async () => {
  const { body, headers } = signed(question)
  const handle = responder.handler(options)
  const request = new Request('http://localhost/ask', { method: 'POST', body, headers })
  const response = await handle(request)
  assert.equal(response.headers.get('content-type'), 'application/json')
  assert.deepEqual([response.status, await response.json()], [200, { approved: true, amount: 30 }])
})

test('the handler reads no more of a body than a question may have', async () => {
  const handle = responder.handler(options)
  const part = new Uint8Array(100_000)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += part.length
      if (sent > 100_000_000) controller.close()
      else controller.enqueue(part)
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  assert.equal((await handle(new Request('http://localhost/ask', init))).status, 413)
  assert.ok(sent < 2_000_000, `${sent} bytes were read`)
})
