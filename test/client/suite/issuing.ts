/** The library against the program: users, documents, cards, lists, events and a responder. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  Bezant,
  NotFoundError,
  responder,
  UnauthenticatedError,
  ValidationFailedError,
  type WebhookEvent,
  webhooks,
} from '#client/index.ts'
import { keep, test, until } from './harness.ts'
import { openLine } from './line.ts'
import { apiKey, baseUrl, bezant, openCard, openUser, user } from './program.ts'

/** Answers each request on a port of its own, and returns its address. */
async function serve(answer: (request: IncomingMessage) => Promise<string>): Promise<string> {
  const server = createServer(async (request, response) => {
    response.end(await answer(request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  keep({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A client whose first answer is lost on the way, after it has taken effect. */
async function openLossy() {
  const line = await openLine(['half passed', 'passed'])
  const keys = async () =>
    (await line.received()).map(({ headers }) => headers['x-bezant-idempotency-key'])
  return { client: new Bezant({ baseUrl: line.baseUrl, apiKey }), keys }
}

/** The same key was sent twice. */
function assertRepeated(keys: (string | undefined)[]): void {
  assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(keys, [keys[0], keys[0]])
}

const pdf = (comment: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    new TextEncoder().encode(`%PDF-1.7
1 0 obj
<< /Type /Catalog >>
endobj
% ${comment}
xref
0 1
trailer << /Root 1 0 R >>
startxref
60
%%EOF
`),
  )

test('a list is walked to its end, and its first page is awaited', async () => {
  for (const last_name of ['A', 'B', 'C']) await openUser(last_name)
  const page = await bezant.users.list({ limit: 2 })
  assert.deepEqual([page.data.length, page.has_more], [2, true])
  const names: (string | undefined)[] = []
  for await (const { last_name } of bezant.users.list({ limit: 1 })) names.push(last_name)
  assert.deepEqual(names, ['C', 'B', 'A', 'Haddad'])
})

test('lists by POST have their cursor in the body', async () => {
  const same = await Promise.all([1, 2].map((n) => openUser(`Same ${n}`)))
  const found = await bezant.users.search({ limit: 1, name: 'Same' }).all({ limit: 9 })
  assert.deepEqual(found.map(({ id }) => id).sort(), same.map(({ id }) => id).sort())
  assert.deepEqual(await bezant.kyc.searchRequests({ limit: 1 }).all({ limit: 9 }), [])
})

test('the fields at fault are named, with the code and the request', async () => {
  const wrong = { last_name: 'Haddad', email: 'none' }
  await assert.rejects(bezant.users.create(wrong), (error) => {
    assert.ok(error instanceof ValidationFailedError)
    assert.deepEqual(Object.keys(error.faults).sort(), ['email', 'first_name'])
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
    return true
  })
  await assert.rejects(bezant.users.get(crypto.randomUUID()), NotFoundError)
  const stranger = new Bezant({ baseUrl, apiKey: 'none' })
  await assert.rejects(async () => await stranger.users.list(), UnauthenticatedError)
})

test('a transfer whose answer is lost has one effect', async () => {
  const [from, to] = [await openCard(100), await openCard(100)]
  const { client, keys } = await openLossy()
  const body = { sender_account_id: from.account_id, recipient_account_id: to.account_id }
  await client.transfers.create({ ...body, currency: 'AED', amount: 30 })
  assertRepeated(await keys())
  assert.equal((await bezant.accounts.get(to.account_id)).balance, 130)
})

test('a document is uploaded as a form and downloaded as it was', async () => {
  const identification = await bezant.identifications.create(user.id, {
    type: 'TRADE_LICENSE',
  })
  const bytes = pdf('a license')
  const file = new File([bytes], 'license.pdf', { type: 'application/pdf' })
  const uploaded = await bezant.identifications.uploadFilesByPost(user.id, identification.id, {
    file,
    identification_document_type: 'NOT APPLICABLE',
  })
  assert.ok('id' in uploaded)
  const ids = [user.id, identification.id, uploaded.id] as const
  const answer = await bezant.identifications.downloadFile(...ids)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes)
  const part = await bezant.identifications.downloadFile(...ids, {
    headers: { range: 'bytes=0-3' },
  })
  assert.deepEqual([part.status, await part.text()], [206, '%PDF'])
})

test('an upload whose answer is lost stores its file once', async () => {
  const { id } = await bezant.identifications.create(user.id, { type: 'ADDITIONAL' })
  const { client, keys } = await openLossy()
  const form = { file: new File([pdf('once')], 'once.pdf') }
  await client.identifications.uploadFilesByPost(user.id, id, form)
  assertRepeated(await keys())
  assert.equal((await bezant.identifications.listFiles(user.id, id)).data.length, 1)
})

test('a statement comes as objects or as CSV', async () => {
  const { account_id } = await openCard(50)
  const [entry] = await bezant.accounts.listEntries(account_id).all({ limit: 2 })
  assert.equal(entry?.amount, 50)
  const answer = await bezant.accounts.listEntriesAsCsv(account_id)
  assert.match(await answer.text(), /^\S+,\S+[\s\S]*50/)
})

test('a delivery of a subscription is verified and has the type of its kind', async () => {
  const received: { body: string; headers: IncomingHttpHeaders }[] = []
  const endpoint = await serve(async (request) => {
    received.push({ body: await text(request), headers: request.headers })
    return ''
  })
  const { id, secret } = await bezant.webhooks.create({ endpoint, events: ['TRANSACTION'] })
  const { card_id } = await openCard(100)
  const merchant = { id: 'BOOKSHOP', mcc: '5942' }
  const purchase = { card_id, amount: 12.5, currency: 'AED', merchant }
  await bezant.simulation.authorization(purchase)
  const delivery = await until(() => received[0])
  const event: WebhookEvent = webhooks.unwrap(delivery.body, delivery.headers, secret)
  assert.ok(event.event === 'TRANSACTION')
  assert.equal(event.card_transaction.amount, 12.5)
  const rotated = await bezant.webhooks.rotateSecret(id)
  await bezant.webhooks.ping(id)
  const ping = await until(() => received[1])
  for (const one of [secret, rotated.secret]) {
    assert.equal(webhooks.unwrap(ping.body, ping.headers, one).event, 'PING')
  }
})

test('a responder decides what the program asks', async () => {
  const asked: number[] = []
  let secret = ''
  const decide: responder.Decide = ({ amount }) => {
    asked.push(Number(amount))
    return { approved: Number(amount) <= 50 }
  }
  const url = await serve(async (request) => {
    const body = await text(request)
    return (await responder.answer(body, request.headers, { secret, decide })).body
  })
  const settings = await bezant.settings.update({ responder: { url, timeout_ms: 3000 } })
  secret = settings.responder?.secret ?? ''
  const { card_id } = await openCard(500)
  const codes: (string | undefined)[] = []
  for (const amount of [40, 60]) {
    const decided = await bezant.simulation.authorization({ card_id, amount, currency: 'AED' })
    codes.push(decided.status_code)
  }
  await bezant.settings.update({ responder: null })
  assert.deepEqual(
    [codes, asked],
    [
      ['0000', '1851'],
      [40, 60],
    ],
  )
})
