/** A live program checks its users and its cardholders by services beside it (D-1080 to D-1091). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { elementIds, writeElements } from '#iso8583/tlv48.ts'
import { freshBin, newProduct } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { CHECK, openOnfido, signed } from '#test/support/services/onfido.ts'
import { until } from '#test/support/services/receiver.ts'
import { listedPerson, openWatchman } from '#test/support/services/watchman.ts'

const keep = keeper()
const watchman = keep(await openWatchman())
watchman.listed = { listed: [listedPerson] }
const onfido = keep(await openOnfido())
const mails = keep(await openMailServer())
const database = await createTestDatabase()
const DATA_DIR = dataFolder()
const started = launch({
  ...{ MODE: 'live', DATA_DIR, DATABASE_URL: database.url },
  MASTER_KEY: randomBytes(32).toString('hex'),
  ...{ ...watchman.env, WATCHMAN_CLEAR: 'pass', ...onfido.env },
  ...{ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'cards@bank.example' },
})
keep({ close: database.drop })
keep({
  async close() {
    started.kill('SIGTERM')
    await started.ended
  },
})
await started.ready
const [, base = ''] = /docs +(\S+)\/docs/.exec(started.output()) ?? []
const [, port] = /Network +127\.0\.0\.1:(\d+)/.exec(started.output()) ?? []

const asking = (apikey: string) => async (method: string, path: string, body?: object) => {
  const headers = { apikey, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${base}/v1${path}`, sent)
  const text = await answer.text()
  assert.equal(answer.status, 200, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}

const operate = asking(readFileSync(join(DATA_DIR, 'operator.key'), 'utf8').trim())
const settings = {
  ...{ pci_compliant: true, challenge_messenger: 'MAIL', privacy_notices_read_consent_given: true },
  ...{ require_document_verification: true, require_kyc: true },
}
const { id: tenant_id } = await operate('POST', '/operator/tenants', { name: 'Bank', settings })
const tenant = `/operator/tenants/${tenant_id}`
const permissions = ['read', 'write', 'cards:reveal']
const ask = asking((await operate('POST', `${tenant}/keys`, { permissions })).key)

const inState = (id: string, state: string) =>
  until(state, async () => {
    const { status, status_reason_code } = await ask('GET', `/users/${id}`)
    return `${status}/${status_reason_code}` === state
  })

/** A user whose identity Onfido has found clear. */
async function identified(last_name: string): Promise<string> {
  const reached = { email: 'ann@shop.example', mobile: '+971501234567' }
  const { id } = await ask('POST', '/users', { first_name: 'Ann', last_name, ...reached })
  await until('a token', async () => {
    const { data } = await ask('GET', `/objectevents?object_id=${id}`)
    return data.some((sent: object) => 'sdk_token' in sent)
  })
  onfido.checks = []
  const step = { status: 'PENDINGIDVERIFICATION', status_reason_code: 'B0' }
  await ask('PUT', `/users/${id}:changeStatus`, step)
  const event = { resource_type: 'check', action: 'check.completed', object: { id: CHECK } }
  await until('the report', async () => {
    const { headers, payload: body } = signed(event)
    const notified = { method: 'POST', headers, body }
    const { status } = await fetch(`${base}/identity/onfido/webhook`, notified)
    assert.equal(status, 200)
    return (await ask('GET', `/users/${id}`)).status === 'PENDINGKYC'
  })
  return id
}

const askKyc = (id: string) =>
  ask('POST', `/users/${id}/kyc`, { kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' })

test('in live a user that the services clear gets a card, and one that is listed waits for people', async () => {
  const listed = await identified('Listed')
  await askKyc(listed)
  const { matches } = await until('a match', async () => {
    const { data } = await operate('GET', `/operator/reviews?tenant_id=${tenant_id}`)
    return data.find((review: { user: { id: string }; matches: object[] }) => {
      return review.user.id === listed && review.matches.length > 0
    })
  })
  assert.partialDeepStrictEqual(matches, [
    { provider: 'watchman', list: 'us_ofac', score: 94, name: 'Ann LISTED', status: 'OPEN' },
  ])
  await inState(listed, 'PENDINGKYC/I0')
  const { card } = await cardOfCleared()
  assert.equal(card.status, 'ACTIVE')
})

async function cardOfCleared() {
  const user_id = await identified('Lee')
  await askKyc(user_id)
  await inState(user_id, 'ACTIVE/A0')
  const product = { ...newProduct, bin: freshBin(), otp_3ds: true }
  const { id: card_product_id } = await ask('POST', '/cardproducts', product)
  const card = await ask('POST', '/cards', { user_id, card_product_id, card_type: 'VIRTUAL' })
  const money = { currency: 'AED', amount: 100 }
  await operate('POST', `${tenant}/funding`, money)
  await ask('POST', `/accounts/${card.account_id}:loadfunds`, money)
  const { card_number: pan } = await ask('GET', `/cards/${card.id}:reveal`)
  return { card, pan: String(pan) }
}

const MERCHANT = { id: 'SHOP1', name: 'Date Palm Books' }

/** The answer of the port to a payment with this proof. */
async function paid(pan: string, amount: bigint, aav: string): Promise<string | undefined> {
  const acquirer = keep(await connectAcquirer({ port: Number(port) }))
  const proof = [
    [elementIds.three_ds_level, '0103212'],
    [elementIds.authentication_value, aav],
  ] as const
  const fields = { 42: MERCHANT.id.padEnd(15), 48: writeElements(proof) }
  await acquirer.signOn()
  return (await acquirer.send(sale({ pan, amount, fields }))).fields[39]
}

test('in live a challenge is passed by the code that was mailed, and its AAV approves one payment', async () => {
  const { card, pan } = await cardOfCleared()
  const payment = { amount: 12.5, currency: 'AED', merchant: MERCHANT }
  const { id } = await ask('POST', '/challenges', { card_id: card.id, ...payment })
  const text = await until('the mail', async () => mails.mails.at(-1)?.text)
  const [, code = ''] = /Your code is (\d{6})\./.exec(text) ?? []
  const passed = await ask('POST', `/challenges/${id}:answer`, { code })
  assert.equal(passed.status, 'PASSED')
  const aav: string = passed.authentication_value
  assert.equal(await paid(pan, 1_251n, aav), '82')
  assert.equal(await paid(pan, 1_250n, aav), '00')
  const { data } = await ask('GET', `/transactions?card_id=${card.id}`)
  const codes = data.map((one: { status_code: string }) => one.status_code)
  assert.deepEqual(codes, ['0000', '1022'])
  for (const secret of [aav, code]) assert.ok(!started.output().includes(secret))
})
