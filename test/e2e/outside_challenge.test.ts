/** The payment page in live: the issuer asks the cardholder over the wire (D-1215). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { wrongCode } from '#test/support/network/challenges.ts'
import { FORM } from '#test/support/network/purchases.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { badAnswers, openAccessControl } from '#test/support/services/access_control.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Customer, openShop, post } from './shop.ts'
import { answer, ask, MOBILE, sealedIn } from './three_ds.ts'

const keep = keeper()
const acs = keep(await openAccessControl())
const mails = keep(await openMailServer())
const env = {
  ...{ MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex'), ...acs.env },
  ...{ SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'cards@bank.example' },
}
const shop = keep(await openShop({ env }))
acs.issuer = shop
const messenger = (challenge_messenger: string) =>
  shop.request('PUT', '/v1/tenantsettings', { challenge_messenger })
beforeEach(async () => {
  acs.misbehaves = undefined
  acs.calls = []
  assert.equal((await messenger('MAIL')).status, 200)
})

const user = { mobile: MOBILE, email: 'omar@shop.example' }
const product = { otp_3ds: true }
const customer = (traits: object = {}) => shop.customer(100_000n, { user, product, ...traits })
const urls = {
  confirm_callback_url: 'https://shop.example/thanks',
  reject_callback_url: 'https://shop.example/basket',
}
const newPage = async () => (await shop.checkout(urls)).id

async function challengesOf({ card_id }: Customer): Promise<{ id: string; status: string }[]> {
  return (await shop.request('GET', `/v1/challenges?card_id=${card_id}`)).body.data
}

/** Codes of the transactions, and what their traces have of the values that prove them. */
async function paymentsOf({ card_id }: Customer) {
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${card_id}`)
  const transactions: { id: string; status_code: string }[] = body.data
  return Promise.all(
    transactions.map(async ({ id, status_code }) => {
      const { body: trace } = await shop.request('GET', `/v1/transactions/${id}/trace`)
      const checks: { check: string; detail: string }[] = trace.checks
      return [status_code, checks.find(({ check }) => check === 'card verification')?.detail]
    }),
  )
}

/** A card whose cardholder is asked, the page that asks, and the code that was mailed. */
async function asked() {
  const card = await customer()
  const page = await ask(shop, await newPage(), card)
  const [challenge] = await challengesOf(card)
  assert.ok(challenge)
  const mail = await until('the mail', () =>
    mails.mails.find(({ text }) => text.includes(challenge.id)),
  )
  const [, code = ''] = /Your code is (\d{6})\./.exec(mail.text) ?? []
  return { card, page, code, challenge: challenge.id }
}

const REFUSED = /could not confirm|not confirmed/
const PROVED = ['0000', 'CVV2 is right, AAV is right']

describe('a code that the bank has sent', () => {
  test('is typed on the page, which has no code of its own, and proves the payment', async () => {
    const { card, page, code } = await asked()
    assert.match(page.text, /Your bank has sent you a code/)
    assert.ok(!page.text.includes(code))
    assert.equal((await answer(shop, page, { code })).status, 303)
    assert.deepEqual(await paymentsOf(card), [PROVED])
    for (const line of shop.logged) assert.ok(!line.includes(code))
  })

  test('is wrong three times: the payment is declined, and nothing is sent', async () => {
    const { card, page, code } = await asked()
    const first = await answer(shop, page, { code: wrongCode(code) })
    assert.deepEqual([first.status, /not right/.test(first.text)], [422, true])
    // The same code once more is the same try; each other one is counted.
    await answer(shop, page, { code: wrongCode(code) })
    await answer(shop, page, { code: wrongCode(code, 2) })
    const last = await answer(shop, page, { code: wrongCode(code, 3) })
    assert.match(last.text, REFUSED)
    assert.equal((await challengesOf(card))[0]?.status, 'FAILED')
    assert.deepEqual(await paymentsOf(card), [])
  })

  test('is too late after its end, and the card may be entered again', async () => {
    const { card, page, code, challenge } = await asked()
    await shop.db
      .updateTable('challenges')
      .set({ expires: new Date(0) })
      .where('tenant_id', '=', shop.tenant.id)
      .where('id', '=', challenge)
      .execute()
    const { text } = await answer(shop, page, { code })
    assert.match(text, /took too long/)
    assert.deepEqual(await paymentsOf(card), [])
  })

  test('is taken by another process as well, which has kept nothing of it', async () => {
    await using second = await openSecondProcess(shop)
    const { card, page, code, challenge } = await asked()
    const fields = { challenge, sealed: sealedIn(page.text), code: wrongCode(code) }
    const send = (form: Record<string, string>) =>
      second.request('POST', `/checkout?id=${page.id}`, new URLSearchParams(form).toString(), {
        key: null,
        headers: FORM,
      })
    assert.equal((await send(fields)).status, 422)
    assert.equal((await challengesOf(card))[0]?.status, 'PENDING')
    assert.equal((await answer(shop, page, { code })).status, 303)
    assert.equal((await challengesOf(card))[0]?.status, 'PASSED')
    assert.deepEqual(await paymentsOf(card), [PROVED])
  })

  test('of a form that is sent twice is one', async () => {
    const { card, page } = await asked()
    const again = await post(shop, page.id, page.form)
    assert.match(again.text, /name="challenge"/)
    assert.equal((await challengesOf(card)).length, 1)
  })

  test('is declined at the bank where the customer cancels', async () => {
    const { card, page } = await asked()
    const { text } = await answer(shop, page, { action: 'cancel' })
    assert.match(text, /You cancelled/)
    assert.equal((await challengesOf(card))[0]?.status, 'DECLINED')
  })

  test('may stay away: the app approves, and the page learns it by any code', async () => {
    const { card, page, challenge } = await asked()
    await shop.request('POST', `/v1/challenges/${challenge}:approve`)
    assert.equal((await answer(shop, page, { code: '123456' })).status, 303)
    assert.deepEqual(await paymentsOf(card), [PROVED])
  })
})

describe('an approval in the app', () => {
  test('is awaited by the page, and proves the payment', async () => {
    await messenger('NONE')
    const card = await customer()
    const page = await ask(shop, await newPage(), card)
    assert.match(page.text, /Approve the payment in the app/)
    assert.ok(!page.text.includes('name="code"'))
    assert.match((await answer(shop, page, {})).text, /not approved yet/)
    const [challenge] = await challengesOf(card)
    await shop.request('POST', `/v1/challenges/${challenge?.id}:approve`)
    assert.equal((await answer(shop, page, {})).status, 303)
    assert.deepEqual(await paymentsOf(card), [PROVED])
  })

  test('that is refused declines the payment', async () => {
    await messenger('NONE')
    const card = await customer()
    const page = await ask(shop, await newPage(), card)
    const [challenge] = await challengesOf(card)
    await shop.request('POST', `/v1/challenges/${challenge?.id}:decline`)
    assert.match((await answer(shop, page, {})).text, REFUSED)
    assert.deepEqual(await paymentsOf(card), [])
  })
})

describe('an issuer that', () => {
  for (const [name, misbehaves] of Object.entries(badAnswers)) {
    test(`${name} is asked again by the same form, about one question`, async () => {
      const card = await customer()
      const id = await newPage()
      acs.misbehaves = misbehaves
      const { text } = await shop.submit(id, card)
      assert.match(text, /Your bank cannot be reached/)
      assert.deepEqual(await paymentsOf(card), [])
      acs.misbehaves = undefined
      await ask(shop, id, card)
      assert.equal((await challengesOf(card)).length, 1)
    })

    test(`${name} when it gets the code is asked again, and the code is one try`, async () => {
      const { card, page, code } = await asked()
      acs.misbehaves = misbehaves
      const { status, text } = await answer(shop, page, { code })
      assert.deepEqual([status, /does not answer/.test(text)], [200, true])
      assert.deepEqual(await paymentsOf(card), [])
      acs.misbehaves = undefined
      assert.equal((await answer(shop, page, { code })).status, 303)
      assert.deepEqual(await paymentsOf(card), [PROVED])
    })
  }

  test('is slow holds nobody longer than five seconds', async () => {
    const card = await customer()
    acs.misbehaves = () => {}
    const { text } = await shop.submit(await newPage(), card)
    assert.match(text, /Your bank cannot be reached/)
    assert.deepEqual(await paymentsOf(card), [])
  })

  test('does not ask for this card has it paid at once', async () => {
    const card = await customer({ product: {} })
    assert.equal((await shop.submit(await newPage(), card)).status, 303)
    assert.deepEqual(await paymentsOf(card), [['0000', 'CVV2 is right']])
  })

  test('does not know the card declines it', async () => {
    const stranger = { card_number: '4000001234567899', expiry: '12/29', cvv2: '123' }
    const { text } = await shop.submit(await newPage(), stranger)
    assert.match(text, /is not right\. Check both/)
  })
})
