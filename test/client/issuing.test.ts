/** The library against the program: users, documents, cards, lists, events and a responder. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  Bezant,
  NotFoundError,
  responder,
  UnauthenticatedError,
  ValidationFailedError,
  type WebhookEvent,
  webhooks,
} from '#client/index.ts'
import { pdf } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 })
const bezant = new Bezant({ baseUrl, apiKey: world.tenant.api_key })
const operator = new Bezant({ baseUrl, token: world.operator_key })
await operator.operator.fundTenant(world.tenant.id, { currency: 'AED', amount: 100_000 })

const openUser = (last_name: string) => bezant.users.create({ first_name: 'Layla', last_name })
const user = await openUser('Haddad')
const product = await bezant.cardProducts.create({
  ...{ name: 'Virtual', currency: 'AED', bin: '40000100' },
  initial_status_of_virtual_card: 'ACTIVE',
})

async function openCard(amount: number) {
  const order = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' } as const
  const { id, account_id = '' } = await bezant.cards.create(order)
  await bezant.accounts.loadFunds(account_id, { currency: 'AED', amount })
  return { card_id: id, account_id }
}

/** A client whose first answer is lost on the way, after it has taken effect. */
function lossy() {
  const replayed: (string | null)[] = []
  const client = new Bezant({
    ...{ baseUrl, apiKey: world.tenant.api_key },
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (replayed.push(response.headers.get('idempotent-replayed')) > 1) return response
      throw new TypeError('the line is cut')
    },
  })
  return { client, replayed }
}

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
  await assert.rejects(bezant.users.get(product.id), NotFoundError)
  const stranger = new Bezant({ baseUrl, apiKey: 'none' })
  await assert.rejects(async () => await stranger.users.list(), UnauthenticatedError)
})

test('a transfer whose answer is lost has one effect', async () => {
  const [from, to] = [await openCard(100), await openCard(100)]
  const { client, replayed } = lossy()
  const body = { sender_account_id: from.account_id, recipient_account_id: to.account_id }
  await client.transfers.create({ ...body, currency: 'AED', amount: 30 })
  assert.deepEqual(replayed, [null, 'true'])
  assert.equal((await bezant.accounts.get(to.account_id)).balance, 130)
})

test('a document is uploaded as a form and downloaded as it was', async () => {
  const identification = await bezant.identifications.create(user.id, {
    type: 'TRADE_LICENSE',
  })
  const bytes = pdf('a license')
  const file = new File([Uint8Array.from(bytes)], 'license.pdf', { type: 'application/pdf' })
  const uploaded = await bezant.identifications.uploadFilesByPost(user.id, identification.id, {
    file,
    identification_document_type: 'NOT APPLICABLE',
  })
  assert.ok('id' in uploaded)
  const ids = [user.id, identification.id, uploaded.id] as const
  const answer = await bezant.identifications.downloadFile(...ids)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
  const part = await bezant.identifications.downloadFile(...ids, {
    headers: { range: 'bytes=0-3' },
  })
  assert.deepEqual([part.status, await part.text()], [206, '%PDF'])
})

test('an upload whose answer is lost stores its file once', async () => {
  const { id } = await bezant.identifications.create(user.id, { type: 'ADDITIONAL' })
  const { client, replayed } = lossy()
  const form = { file: new File([Uint8Array.from(pdf('once'))], 'once.pdf') }
  await client.identifications.uploadFilesByPost(user.id, id, form)
  assert.deepEqual(replayed, [null, 'true'])
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
  const receiver = keep(await openReceiver())
  const { id, secret } = await bezant.webhooks.create({
    endpoint: receiver.url,
    events: ['TRANSACTION'],
  })
  world.sweeper.start()
  const { card_id } = await openCard(100)
  const merchant = { id: 'BOOKSHOP', mcc: '5942' }
  const purchase = { card_id, amount: 12.5, currency: 'AED', merchant }
  await bezant.simulation.authorization(purchase)
  const received = await until('the delivery', () => receiver.received[0])
  const event: WebhookEvent = webhooks.unwrap(received.text, received.headers, secret)
  assert.ok(event.event === 'TRANSACTION')
  assert.equal(event.card_transaction.amount, 12.5)
  const rotated = await bezant.webhooks.rotateSecret(id)
  await bezant.webhooks.ping(id)
  const ping = await until('the ping', () => receiver.received[1])
  for (const one of [secret, rotated.secret]) {
    assert.equal(webhooks.unwrap(ping.text, ping.headers, one).event, 'PING')
  }
})

test('a responder decides what the program asks', async () => {
  const asked: number[] = []
  let secret = ''
  const decide: responder.Decide = ({ amount }) => {
    asked.push(Number(amount))
    return { approved: Number(amount) <= 50 }
  }
  const server = createServer(async (request, response) => {
    const options = { secret, decide }
    const { status, body } = await responder.answer(await text(request), request.headers, options)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  keep({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`
  const settings = await bezant.settings.update({ responder: { url, timeout_ms: 3000 } })
  secret = settings.responder?.secret ?? ''
  const { card_id } = await openCard(500)
  const codes: (string | undefined)[] = []
  for (const amount of [40, 60]) {
    const decided = await bezant.simulation.authorization({ card_id, amount, currency: 'AED' })
    codes.push(decided.status_code)
  }
  assert.deepEqual(
    [codes, asked],
    [
      ['0000', '1851'],
      [40, 60],
    ],
  )
})
