/** The widgets in a browser, framed by a page of another origin (D-40). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Frame } from 'playwright-core'
import { verificationOf } from '#issuing/vault/software/pins.ts'
import { keySets, lockPins, revealNumber } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { type Card, openStage, type Scene } from './stage.ts'

const stage = await openStage()
after(() => stage.close())
const { world, seen } = stage

/** Values of every card here that only the cardholder may see. */
const secrets: string[] = []
const PIN = '2846'

async function newCard(status?: 'ACTIVE' | 'INACTIVE'): Promise<Card> {
  const card = await stage.card(status)
  secrets.push(card.card_number)
  return card
}

const grouped = (number: string) => number.replace(/(.{4})(?=.)/g, '$1 ')
const textOf = (frame: Frame, id: string) => frame.locator(`#${id}`).textContent()
/** A key goes to the frame once the focus is there. */
async function tabTo({ page, frame }: Scene, id: string): Promise<void> {
  await page.keyboard.press('Tab')
  await frame.waitForFunction(`document.hasFocus() && document.activeElement.id === '${id}'`)
}
const names = (events: readonly [string, object][]) => events.map(([name]) => name)

describe('card details', () => {
  test('are shown once, and gone from the page after 45 seconds', async () => {
    const card = await newCard()
    const url = await stage.url(card, 'CARD_DETAILS')
    const { page, frame, receives, received, close } = await stage.open(url)
    await receives('done')
    await frame.locator('#details').waitFor()
    assert.equal(await textOf(frame, 'card_number'), grouped(card.card_number))
    const [year = '', month] = card.expiry_date.split('-')
    assert.equal(await textOf(frame, 'expiry_date'), `${month}/${year.slice(2)}`)
    assert.equal(await textOf(frame, 'cvv2'), card.cvv2)

    // The clock stands still then, so that it does not matter how long the looks take.
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 40_000)
    assert.ok(Number(await textOf(frame, 'left')) <= 5)
    assert.equal(await textOf(frame, 'card_number'), grouped(card.card_number))
    await page.clock.fastForward(5_000)
    await receives('hidden')
    const left = await frame.content()
    assert.equal(left.includes(grouped(card.card_number)) || left.includes(`>${card.cvv2}<`), false)
    assert.deepEqual(names((await received()).events), [
      'bezant:ready',
      'bezant:done',
      'bezant:hidden',
    ])
    await close()

    const again = await stage.open(url)
    await again.page.clock.runFor(4_000)
    await again.receives('error')
    const reported = [['bezant:error', { reason: 'unavailable' }]]
    assert.deepEqual((await again.received()).events, reported)
    assert.equal(await again.page.locator('iframe').count(), 0)
    await again.close()
  })

  test('are hidden at once when the tab is, or when the cardholder hides them', async () => {
    for (const hide of [
      (frame: Frame) => frame.locator('#hide').click(),
      (frame: Frame) =>
        frame.evaluate(`Object.defineProperty(document, 'hidden', { value: true })
          document.dispatchEvent(new Event('visibilitychange'))`),
    ]) {
      const url = await stage.url(await newCard(), 'CARD_DETAILS')
      const { frame, receives, close } = await stage.open(url)
      await frame.locator('#hide').waitFor()
      await hide(frame)
      await receives('hidden')
      assert.equal(await frame.locator('#details').count(), 0)
      await close()
    }
  })

  test('the number is copied without its spaces, by a press', async () => {
    const card = await newCard()
    const permissions = ['clipboard-read', 'clipboard-write']
    const url = await stage.url(card, 'CARD_DETAILS')
    const { page, frame, close } = await stage.open(url, { browser: { permissions } })
    await frame.locator('#copy').click()
    await frame.locator('.good').waitFor()
    await page.bringToFront()
    await page.locator('body').click({ position: { x: 1, y: 1 } })
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), card.card_number)
    await close()
  })

  test('cannot be read by the page that frames them', async () => {
    const { page, frame, close } = await stage.open(
      await stage.url(await newCard(), 'CARD_DETAILS'),
    )
    await frame.locator('#details').waitFor()
    const [content, fault] = await page.evaluate(`(() => {
      const frame = document.querySelector('iframe')
      try { return [frame.contentDocument, String(frame.contentWindow.document)] }
      catch (error) { return [frame.contentDocument, error.name] }
    })()`) as [unknown, string] // biome-ignore format: a script.
    assert.deepEqual([content, fault], [null, 'SecurityError'])
    await close()
  })

  test('are not shown in the frame of another origin, and the token stays good', async () => {
    const url = await stage.url(await newCard(), 'CARD_DETAILS')
    const foreign = await stage.open(url, { by: stage.foreign })
    await foreign.page.clock.runFor(4_000)
    await foreign.receives('error')
    assert.deepEqual(names((await foreign.received()).events), ['bezant:error'])
    assert.ok(seen.console.some((line) => line.includes('frame-ancestors')))
    await foreign.close()
    const { frame, close } = await stage.open(url)
    await frame.locator('#details').waitFor()
    await close()
  })
})

describe('a PIN', () => {
  test('is set by keyboard alone, unseen, after one that is weak and one that differs', async () => {
    const card = await newCard()
    const scene = await stage.open(await stage.url(card, 'SET_PIN'))
    const { page, frame, receives, received, close } = scene
    await receives('ready')
    const type = async (pin: string, again: string) => {
      await page.keyboard.type(pin)
      await page.keyboard.press('Tab')
      await page.keyboard.type(again)
      await page.keyboard.press('Enter')
    }
    await tabTo(scene, 'pin')
    const outline = 'getComputedStyle(document.activeElement).outlineWidth'
    assert.equal(await frame.evaluate(outline), '3px')
    for (const id of ['pin', 'pin_again']) {
      const input = frame.locator(`#${id}`)
      const reported = ['type', 'inputmode', 'autocomplete'].map((name) => input.getAttribute(name))
      assert.deepEqual(await Promise.all(reported), ['password', 'numeric', 'off'])
      assert.ok(await frame.locator(`label[for=${id}]`).textContent())
    }
    await type('1234', '1234')
    await frame.getByText('easy to guess').waitFor()
    await frame.locator('#pin:focus').waitFor()
    await type(PIN, '2847')
    await frame.getByText('not the same').waitFor()
    await frame.locator('#pin_again:focus').waitFor()
    await page.keyboard.type(PIN)
    await tabTo(scene, 'send')
    await page.keyboard.press('Space')
    await receives('done')
    assert.equal(await frame.locator('input').count(), 0)
    await frame.locator('#message:focus').waitFor()
    assert.deepEqual((await received()).events.slice(1), [
      ['bezant:error', { widget: 'SET_PIN', reason: 'weak' }],
      ['bezant:done', { widget: 'SET_PIN' }],
    ])
    assert.ok(await isKept(card, PIN))
    assert.equal(await isKept(card, '2847'), false)
    await close()
  })
})

/** Whether the value that is kept for the card is that of this PIN. */
async function isKept({ id }: Card, pin: string): Promise<boolean> {
  const { body } = await world.request('GET', `/v1/cards/${id}`)
  return transact(await world.ctx(), async (tx) => {
    const kept = (await lockPins(tx, [id])).get(id)
    const keySet = (await keySets(tx, [body.card_product_id])).get(body.card_product_id)
    assert.ok(kept && keySet)
    const pan = await revealNumber(tx, id)
    return kept.value.equals(verificationOf(new Secret(pin), pan, keySet, 'PVV'))
  })
}

test('a card is activated by keyboard', async () => {
  const card = await newCard('INACTIVE')
  const scene = await stage.open(await stage.url(card, 'ACTIVATE'))
  const { page, receives, close } = scene
  await receives('ready')
  await tabTo(scene, 'send')
  await page.keyboard.press('Enter')
  await receives('done')
  const { body } = await world.request('GET', `/v1/cards/${card.id}`)
  assert.deepEqual([body.status, body.status_reason_code], ['ACTIVE', 'a0'])
  await close()
})

for (const lang of ['en', 'ar']) {
  test(`${lang}: nothing is cut off or scrolls on a screen of 320 pixels`, async () => {
    for (const widget of ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE'] as const) {
      const url = await stage.url(await newCard(), widget)
      const browser = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const }
      const { page, frame, close } = await stage.open(url, { lang, browser })
      await frame
        .locator(widget === 'CARD_DETAILS' ? '#details' : 'button')
        .first()
        .waitFor()
      const direction = lang === 'ar' ? 'rtl' : 'ltr'
      assert.equal(await frame.evaluate('getComputedStyle(document.body).direction'), direction)
      await frame.waitForFunction('innerHeight >= document.querySelector("main").offsetHeight')
      const widths = 'document.documentElement.scrollWidth <= innerWidth'
      assert.ok((await page.evaluate(widths)) && (await frame.evaluate(widths)), widget)
      const out = `[...document.querySelectorAll('dd,dt,button,input,p')]
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0)
        .map((part) => part.id)`
      assert.deepEqual(await frame.evaluate(out), [])
      if (widget === 'CARD_DETAILS') {
        const number = `getComputedStyle(document.getElementById('card_number')).direction`
        assert.equal(await frame.evaluate(number), 'ltr')
      }
      await close()
    }
  })
}

test('the loader frames no page but one of the platform that it came from', async () => {
  const { page, receives, received, close } = await stage.open(
    `${stage.foreign}/widgets/frame?token=a`,
  )
  await receives('error')
  assert.deepEqual((await received()).events, [['bezant:error', { reason: 'url' }]])
  assert.equal(await page.locator('iframe').count(), 0)
  await close()
})

test('all requests went to the shop and to the platform, and contained no secret', () => {
  const origins = new Set(seen.urls.filter((url) => !url.startsWith('data:')).map(originOf))
  assert.deepEqual([...origins].sort(), [stage.home, stage.shop, stage.foreign].sort())
  assert.ok(seen.messages.length > 20)
  // The cvv2 and the PIN are short: they count only as whole numbers.
  const bystanders = [...seen.urls, ...seen.console, ...seen.messages]
  for (const text of bystanders) {
    assert.equal(
      secrets.some((number) => text.includes(number)),
      false,
      text,
    )
    assert.equal(text.split(/\D+/).includes(PIN), false, text)
  }
  const members = new Set(seen.messages.flatMap((text) => Object.keys(JSON.parse(text))))
  assert.deepEqual([...members].sort(), ['from', 'height', 'reason', 'type', 'widget'])
})

const originOf = (url: string) => new URL(url).origin
