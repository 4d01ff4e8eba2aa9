/** The fields of the payment page: values that are typed, pasted, left and corrected. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { openStage, PHONE, pay } from './stage.ts'

const stage = keeper()(await openStage())
const { page } = await stage.open({ browser: { viewport: PHONE } })

const value = (name: string) => page.locator(`#${name}`).inputValue()
const fault = (name: string) => page.locator(`#${name}_fault`)

async function typed(name: string, text: string): Promise<string> {
  await page.locator(`#${name}`).fill('')
  await page.locator(`#${name}`).pressSequentially(text)
  return value(name)
}

/** Pastes without the clipboard of the machine. */
async function pasted(name: string, text: string): Promise<string> {
  await page.locator(`#${name}`).fill('')
  // A browser cuts the text at the limit if no script takes it.
  await page.evaluate(`{
    const [field, text] = [document.getElementById('${name}'), ${JSON.stringify(text)}]
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    const event = new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true })
    if (field.dispatchEvent(event)) field.value = text.slice(0, field.maxLength)
  }`)
  return value(name)
}

describe('the card number', () => {
  const ways = [
    ['4000001234567899', '4000 0012 3456 7899'],
    ['4000-0012-3456-7899', '4000 0012 3456 7899'],
    ['378282246310005', '3782 822463 10005'],
    ['6304000000000000000', '6304 0000 0000 0000 000'],
    ['٤٠٠٠٠٠١٢٣٤٥٦٧٨٩٩', '4000 0012 3456 7899'],
  ] as const
  for (const [text, expected] of ways) {
    test(`is grouped where ${text} is typed and pasted`, async () => {
      assert.equal(await typed('card_number', text), expected)
      assert.equal(await pasted('card_number', text), expected)
    })
  }

  test('is whole where it is pasted with more between its digits than the field has room for', async () => {
    const text = ' 4000 - 0012 - 3456 - 7899 '
    assert.equal(await pasted('card_number', text), '4000 0012 3456 7899')
  })

  test('keeps the caret behind a digit that is put in between', async () => {
    await typed('card_number', '400000123456789')
    await page.evaluate('card_number.setSelectionRange(2, 2)')
    await page.locator('#card_number').press('9')
    assert.equal(await value('card_number'), '4090 0001 2345 6789')
    assert.equal(await page.evaluate('card_number.selectionStart'), 3)
  })

  const brands = [
    ['4', 'Visa'],
    ['2221', 'Mastercard'],
    ['5500', 'Mastercard'],
    ['2720', 'Mastercard'],
    ['2721', ''],
    ['37', 'Amex'],
    ['3528', 'JCB'],
    ['62', 'UnionPay'],
    ['36', 'Diners'],
    ['6011', 'Discover'],
    ['999000', ''],
  ] as const
  test('has the name of its brand beside it', async () => {
    for (const [digits, brand] of brands) {
      await typed('card_number', digits)
      assert.equal(await page.locator('#brand').textContent(), brand, digits)
    }
  })
})

describe('the expiry date', () => {
  test('has its slash where it is typed and pasted', async () => {
    assert.equal(await typed('expiry', '1129'), '11/29')
    assert.equal(await typed('expiry', '3'), '03/')
    assert.equal(await typed('expiry', '1/29'), '01/29')
    assert.equal(await typed('expiry', '11 / 2029'), '11/29')
    assert.equal(await pasted('expiry', '11/2029'), '11/29')
    assert.equal(await pasted('expiry', '1129'), '11/29')
  })

  test('can be erased over its slash', async () => {
    await typed('expiry', '11')
    assert.equal(await value('expiry'), '11/')
    await page.locator('#expiry').press('Backspace')
    assert.equal(await value('expiry'), '11')
    await page.locator('#expiry').press('Backspace')
    assert.equal(await value('expiry'), '1')
  })
})

test('the security code has digits only, four at most', async () => {
  assert.equal(await typed('cvv2', '1a2-345'), '1234')
})

describe('a field that is left', () => {
  const cases = [
    ['card_number', '4000001234567890', 'Check the card number', '4000001234567899'],
    ['expiry', '1320', 'Use month and year', '1229'],
    ['expiry', '0120', 'This date is past', '1229'],
    ['cvv2', '12', 'Use 3 or 4 digits', '123'],
  ] as const
  for (const [name, wrong, sentence, right] of cases) {
    test(`shows “${sentence}” until it is corrected, and nothing moves`, async () => {
      await page.reload()
      const before = await places(page)
      await typed(name, wrong)
      assert.equal(await fault(name).isVisible(), false)
      await page.keyboard.press('Tab')
      assert.equal(await fault(name).innerText(), sentence)
      const field = page.locator(`#${name}`)
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.equal(await field.getAttribute('aria-describedby'), `${name}_fault`)
      assert.equal(await page.locator(`#${name}_hint`).isVisible(), false)
      assert.deepEqual(await places(page), before)
      await typed(name, right)
      assert.equal(await fault(name).isVisible(), false)
      assert.equal(await field.getAttribute('aria-invalid'), null)
      assert.equal(await field.getAttribute('aria-describedby'), `${name}_hint`)
      assert.deepEqual(await places(page), before)
    })
  }

  test('is not at fault where it was only passed', async () => {
    await page.reload()
    await page.locator('#card_number').focus()
    for (let field = 0; field < 3; field++) await page.keyboard.press('Tab')
    assert.equal(await page.locator('[aria-invalid]').count(), 0)
  })
})

test('an empty form is not sent: each field has its sentence, and the first the focus', async () => {
  await page.reload()
  const before = await places(page)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++
  })
  await pay(page)
  const sentences = await page.locator('.fault:not([hidden])').allInnerTexts()
  assert.deepEqual(sentences, ['Enter the card number', 'Enter the date', 'Enter the code'])
  assert.equal(await page.evaluate('document.activeElement.id'), 'card_number')
  assert.deepEqual(await places(page), before)
  assert.equal(sent, 0)
})

test('a reload empties the fields of the card', async () => {
  await typed('card_number', '4000001234567899')
  await typed('cvv2', '123')
  await page.reload()
  assert.deepEqual([await value('card_number'), await value('cvv2')], ['', ''])
})

/** The places of the fields and of the button. */
const places = (of: Page): Promise<unknown> =>
  of.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), button')].map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect()
    return [part.id, x, y + scrollY, width, height]
  })`)
