import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'
import type { Shot } from '../shot.ts'

/** The payment page in each of its states. */
export const checkout: readonly Shot[] = [
  shotOf('checkout', 'checkout'),
  shotOf('checkout-order', 'checkout', async (page) => {
    const summary = page.locator('summary')
    // It is always open on a wide window.
    if (await summary.isVisible()) await summary.click()
  }),
  shotOf('checkout-typed', 'checkout', async (page) => {
    await page.locator('#card_number').pressSequentially('5555555555554444')
    await page.locator('#expiry').pressSequentially('0930')
    await page.locator('#cvv2').focus()
  }),
  shotOf('checkout-wrong', 'checkout', async (page) => {
    await page.locator('#card_number').fill('4111111111111112')
    await page.locator('#expiry').fill('0120')
    await page.locator('button').click()
  }),
  shotOf('checkout-test-cards', 'checkout', async (page) => {
    await page.goto(`${page.url()}&card=approved`)
  }),
  shotOf('checkout-picked', 'checkout', async (page) => {
    await pick(page, 'approved')
  }),
  shotOf('checkout-3ds', 'asked_checkout', openChallenge),
  shotOf('checkout-3ds-wrong', 'asked_checkout', async (page) => {
    await openChallenge(page)
    await page.locator('#code').fill('123')
    await page.locator('#challenge button').first().click()
  }),
  shotOf('checkout-3ds-resent', 'asked_checkout', async (page) => {
    await openChallenge(page)
    await page.locator('[value=resend]').click()
    await page.locator('[role=status]').waitFor()
  }),
  shotOf('checkout-3ds-cancelled', 'asked_checkout', async (page) => {
    await openChallenge(page)
    await page.locator('[value=cancel]').click()
    await page.locator('#card_number').waitFor()
  }),
  shotOf('checkout-3ds-refused', 'refused_checkout', refuse),
  shotOf('checkout-declined', 'declined_checkout'),
  shotOf('checkout-replaced', 'replaced_checkout'),
  shotOf('checkout-paid', 'paid_checkout'),
  shotOf('checkout-expired', 'expired_checkout'),
  shotOf('checkout-kept', 'kept_checkout'),
  shotOf('checkout-kept-another', 'kept_checkout', async (page) => {
    await page.locator('[name=kept_card][value=""]').check()
  }),
  shotOf('checkout-consent', 'consent_checkout'),
]

async function pick(page: Page, card: string): Promise<void> {
  await page.goto(`${page.url()}&card=${card}`)
  const make = page.locator('form[action*=testcards] button')
  if (await make.isVisible()) await make.click()
  await page.locator('#card_number').waitFor()
}

async function openChallenge(page: Page): Promise<void> {
  await pick(page, 'three_ds')
  await page.locator('form[data-month] button').click()
  await page.locator('#code').waitFor()
}

/** Three wrong codes, where the page does not show them yet. */
async function refuse(page: Page): Promise<void> {
  const problem = page.locator('.problem')
  if (await problem.isVisible()) return
  await openChallenge(page)
  const code = await page.locator('.test code').innerText()
  for (let tries = 0; tries < 3; tries++) {
    await page.locator('#code').fill(code === '000000' ? '000001' : '000000')
    await page.locator('#challenge button').first().click()
    await page.locator('#code_fault, .problem').and(page.locator(':visible')).waitFor()
  }
  await problem.waitFor()
}

type Act = (page: Page) => Promise<void>

function shotOf(name: string, id: keyof Scene['ids'], act: Act = async () => {}): Shot {
  return {
    name,
    path: ({ ids }) => ids[id],
    as: 'nobody',
    act: async (page) => {
      await openAgain(page)
      await act(page)
    },
  }
}

/**
 * Opens the page with the pictures of the shop, which a machine without a network does not reach.
 */
async function openAgain(page: Page): Promise<void> {
  await page.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: pictureOf(route.request().url()) }),
  )
  const isArabic = (await page.evaluate('navigator.language')) === 'ar'
  await page.goto(isArabic ? `${page.url()}&lang=ar` : page.url())
}

function pictureOf(url: string): string {
  const [ground, book] = url.includes('dubai') ? ['#f3d9a4', '#8a3b12'] : ['#cfe6f5', '#0a4a75']
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><rect width="96" height="96" ` +
    `fill="${ground}"/><rect x="26" y="18" width="44" height="60" rx="3" fill="${book}"/></svg>`
  )
}
