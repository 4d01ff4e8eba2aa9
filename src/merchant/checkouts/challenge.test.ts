import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openShop, post } from '#test/e2e/shop.ts'
import { type Asked, answer, ask, codeIn, MOBILE, otherThan, sealedIn } from '#test/e2e/three_ds.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const OTP = { user: { mobile: MOBILE }, product: { otp_3ds: true } }
const rich = await shop.customer(100_000_000n, OTP)
const plain = await shop.customer(100_000_000n)

const advance = async (text: string) => {
  assert.equal((await shop.request('PUT', '/v1/simulate/clock', { advance: text })).status, 200)
  await shop.signIn()
}
const heldOf = async (card: typeof rich) => (await shop.account(card)).held

/** Element 42 of DE48 of every payment of a checkout, and the issuer's decisions. */
async function paymentsOf(card: typeof rich) {
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${card.card_id}&limit=100`)
  return body.data as { id: string; status_code: string }[]
}

describe('the question of the issuer', () => {
  test('200 follows a valid form, names bank, shop, amount, card and mobile, and holds nothing', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    const { status, text, headers } = await shop.submit(id, card)
    assert.equal(status, 200)
    for (const part of [
      'Confirm your payment', 'Date Palm Books', 'AED\u00a0100.50', card.card_number.slice(-4),
      `<bdi dir="ltr">${MOBILE.slice(-2)}</bdi>`, 'autocomplete="one-time-code"', 'autofocus',
      'inputmode="numeric"', '<label for="code">', 'Test mode', 'The code is',
    ]) assert.ok(text.includes(part), part) // biome-ignore format: a list of parts.
    assert.equal(text.includes(card.card_number) || text.includes(MOBILE), false)
    assert.match(String(headers['content-security-policy']), /form-action 'self' http:\/\/shop/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(await heldOf(card), 0n)
    assert.deepEqual(await paymentsOf(card), [])
  })

  test('303 after the right code, which pays once', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id, reference } = await shop.checkout()
    const asked = await ask(shop, id, card)
    const paid = await answer(shop, asked, { code: codeIn(asked.text) })
    assert.deepEqual(
      [paid.status, paid.headers['location']],
      [303, 'http://shop.example/confirm?a=1'],
    )
    const again = await answer(shop, asked, { code: codeIn(asked.text) })
    assert.equal(again.status, 303)
    assert.equal(await heldOf(card), 10_050n)
    assert.equal((await shop.call('GET', `/orders/${reference}/`)).body.status, 'OPENED')
  })

  test('a code may have spaces and Arabic digits', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const code = codeIn(asked.text).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))
    assert.equal(
      (await answer(shop, asked, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status,
      303,
    )
  })

  test('the right code sent many times at once pays once', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, card)
    const code = codeIn(asked.text)
    const sent = Array.from({ length: 8 }, () => answer(shop, asked, { code }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.ok(statuses.includes(303))
    assert.ok(statuses.every((status) => status === 303 || status === 200))
    assert.equal(await heldOf(card), 10_050n)
  })

  test('422 for a wrong code states the tries that are left; the right one still pays', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const code = codeIn(asked.text)
    const wrong = await answer(shop, asked, { code: otherThan(code) })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /This code is not right\. You have two tries left\./)
    assert.match(wrong.text, /aria-invalid="true"/)
    assert.equal(codeIn(wrong.text), code)
    assert.equal((await answer(shop, { ...asked, text: wrong.text }, { code })).status, 303)
  })

  test('422 for a code that is empty or has other than six digits, which is no try', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    for (const [code, sentence] of [
      ['', 'Enter the code'],
      ['12345', 'The code has six digits'],
      ['1234567', 'The code has six digits'],
      ['\u0000', 'Enter the code'],
      ['x'.repeat(4000), 'The code has six digits'],
    ] as const) {
      const { status, text } = await answer(shop, asked, { code })
      assert.equal(status, 422)
      assert.ok(text.includes(`<span>${sentence}</span>`), code)
    }
    const wrong = await answer(shop, asked, { code: otherThan(codeIn(asked.text)) })
    assert.match(wrong.text, /two tries left/)
  })

  test('three wrong codes are a declined card that is not sent, and three of those end it', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    for (const tries of ['two tries left', 'one try left']) {
      const { status, text } = await refuse(id, card)
      assert.equal(status, 200)
      assert.match(text, /could not confirm that it is you/)
      assert.ok(text.includes(tries), tries)
    }
    const last = await refuse(id, card)
    assert.deepEqual([last.status, last.headers['location']], [303, 'http://shop.example/reject'])
    assert.deepEqual(await paymentsOf(card), [])
  })

  test('wrong codes count over all questions of a checkout', async () => {
    const { id } = await shop.checkout()
    const first = await ask(shop, id, rich)
    for (let tries = 0; tries < 2; tries++)
      await answer(shop, first, { code: otherThan(codeIn(first.text)) })
    await answer(shop, first, { action: 'cancel' })
    const second = await ask(shop, id, rich)
    const third = await answer(shop, second, { code: otherThan(codeIn(second.text)) })
    assert.match(third.text, /could not confirm that it is you/)
  })

  test('many wrong codes at once are three tries', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const code = otherThan(codeIn(asked.text))
    const sent = Array.from({ length: 12 }, () => answer(shop, asked, { code }))
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.deepEqual(statuses.filter((status) => status === 422).length, 2)
    const { text } = await shop.page(id)
    assert.match(text, /could not confirm that it is you[\s\S]*two tries left/)
    assert.match((await answer(shop, asked, { code: codeIn(asked.text) })).text, /was out of date/)
  })

  test('a new code ends the one before; two more may be sent', async () => {
    const { asked, second } = await askTwice()
    assert.deepEqual([second.status, /A new code was sent/.test(second.text)], [200, true])
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 422)
    const third = await answer(shop, asked, { action: 'resend' })
    assert.doesNotMatch(third.text, /value="resend"/)
    const fourth = await answer(shop, asked, { action: 'resend' })
    assert.equal(codeIn(fourth.text), codeIn(third.text))
    assert.equal((await answer(shop, asked, { code: codeIn(third.text) })).status, 303)
  })

  test('a cancelled question leads to the form, uncounted, and its code pays no more', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const { status, text } = await answer(shop, asked, { action: 'cancel' })
    assert.equal(status, 200)
    assert.match(text, /You cancelled the confirmation/)
    assert.doesNotMatch(text, /try left|tries left/)
    assert.match((await answer(shop, asked, { code: codeIn(asked.text) })).text, /was out of date/)
    assert.equal((await shop.submit(id, plain)).status, 303)
  })

  test('after five minutes it is over: the page, the code and a reload state that', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    await advance('PT4M')
    const resent = await answer(shop, asked, { action: 'resend' })
    await advance('PT4M')
    assert.equal((await answer(shop, asked, { code: otherThan(codeIn(resent.text)) })).status, 422)
    await advance('PT1M')
    const late = /took too long[\s\S]*not been charged/
    assert.match((await shop.page(id)).text, late)
    assert.match((await post(shop, id, asked.form)).text, late)
    assert.match((await answer(shop, asked, { code: codeIn(resent.text) })).text, late)
    assert.doesNotMatch((await shop.page(id)).text, late)
    assert.equal((await shop.submit(id, plain)).status, 303)
  })

  test('the form that began it shows it again with the same code; another card does not', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const again = await post(shop, id, asked.form)
    assert.equal(codeIn(again.text), codeIn(asked.text))
    const { card_number, expiry, cvv2 } = await shop.customer(100_000n, OTP)
    const other = await post(shop, id, { ...asked.form, card_number, expiry, cvv2 })
    assert.match(other.text, /was not used/)
    assert.equal((await answer(shop, asked, { code: codeIn(again.text) })).status, 303)
  })

  test('another form ends it', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    const first = await ask(shop, id, card)
    const second = await ask(shop, id, rich)
    assert.match((await answer(shop, first, { code: codeIn(first.text) })).text, /was out of date/)
    assert.match((await post(shop, id, first.form)).text, /was not used/)
    assert.equal((await answer(shop, second, { code: codeIn(second.text) })).status, 303)
    assert.equal(await heldOf(card), 0n)
  })

  test('is shown in the other language by its button', async () => {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const { status, text } = await answer(
      shop,
      { ...asked, id: `${id}&lang=ar` },
      { action: 'show' },
    )
    assert.equal(status, 200)
    assert.ok(text.includes('lang="ar" dir="rtl"') && text.includes('أكّد عملية الدفع'))
    assert.equal(codeIn(text), codeIn(asked.text))
  })

  test('an abandoned one leaves the checkout open until its day is over', async () => {
    const { id, reference } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const next = await shop.checkout({ reference })
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 410)
    const left = await ask(shop, next.id, rich)
    await advance('P1DT1S')
    assert.equal((await answer(shop, left, { code: codeIn(left.text) })).status, 410)
    assert.equal((await shop.page(next.id)).status, 410)
    const rows = await shop.db
      .selectFrom('checkouts')
      .select('status')
      .where('reference', '=', reference)
      .where('challenge_id', 'is not', null)
      .execute()
    assert.deepEqual(rows, [])
  })
})

describe('the card that the page carries', () => {
  test('a changed, foreign, empty or huge one leads to the form and pays nothing', async () => {
    const card = await shop.customer(100_000n, OTP)
    const [mine, other] = [await shop.checkout(), await shop.checkout()]
    const [asked, foreign] = [await ask(shop, mine.id, card), await ask(shop, other.id, card)]
    const sealed = sealedIn(asked.text)
    const changed = `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    const code = codeIn(asked.text)
    for (const wrong of [changed, sealedIn(foreign.text), '', 'x', sealed.slice(40)]) {
      const { status, text } = await answer(shop, asked, { code, sealed: wrong })
      assert.equal(status, 200)
      assert.match(text, /was out of date/)
    }
    const huge = await answer(shop, asked, { code, sealed: 'x'.repeat(20_000) })
    assert.equal(huge.status, 413)
    const elsewhere = await answer(shop, { ...asked, id: other.id }, { code })
    assert.match(elsewhere.text, /was out of date/)
    assert.equal(await heldOf(card), 0n)
    assert.equal((await answer(shop, asked, { code })).status, 303)
  })

  test('is not of an earlier question of the same checkout', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    const first = await ask(shop, id, card)
    const second = await ask(shop, id, rich)
    const mixed = await answer(shop, second, {
      code: codeIn(second.text),
      sealed: sealedIn(first.text),
    })
    assert.match(mixed.text, /was out of date/)
    assert.equal(await heldOf(card), 0n)
  })

  test('is neither stored nor logged in the clear, nor is the code', async () => {
    const card = await shop.customer(100_000n, OTP)
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, card)
    await answer(shop, asked, { code: otherThan(codeIn(asked.text)) })
    const { rows } = await shop.dump(['checkouts', 'acquirer_messages', 'events'])
    const text = rows + shop.logged.join('\n')
    for (const secret of [card.card_number, sealedIn(asked.text)]) {
      assert.deepEqual(
        text.split('\n').filter((line) => line.includes(secret)),
        [],
      )
    }
    const logged = shop.logged.join('\n')
    assert.equal(logged.includes(`"${codeIn(asked.text)}"`), false)
  })
})

/** A question whose second code is not by chance its first one. */
async function askTwice() {
  for (;;) {
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, rich)
    const second = await answer(shop, asked, { action: 'resend' })
    if (codeIn(second.text) !== codeIn(asked.text)) return { asked, second }
  }
}

/** Three wrong codes; the answer to the last. */
async function refuse(id: string, card: typeof rich) {
  const asked: Asked = await ask(shop, id, card)
  const code = otherThan(codeIn(asked.text))
  for (let tries = 0; tries < 2; tries++)
    assert.equal((await answer(shop, asked, { code })).status, 422)
  return answer(shop, asked, { code })
}
