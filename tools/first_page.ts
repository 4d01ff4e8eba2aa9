/**
 * How fast the first pages of the console can be used: milliseconds from the start of a navigation
 * with an empty cache, and what is transferred, from a sandbox of its own.
 *
 *     node tools/first_page.ts
 */

import type { Browser } from 'playwright-core'
import { openBrowser } from '#test/support/browser.ts'
import { type Member, signUp } from './shots/member.ts'
import { openSandbox } from './shots/sandbox.ts'

const TIMES = 5

type FirstPage = {
  path: string
  /** Selects an element that is there once the page can be used: a field, or the first figures. */
  usable: string
  /** Signed in as; undefined is no one. */
  member?: Member
}

type Measured = { ms: number; scripts: number; bytes: number }

await using opened = new AsyncDisposableStack()
const { base_url } = opened.use(await openSandbox())
const member = await signUp(base_url, 'layla@palm.example', 'Palm Bank')
await pay(member)
const browser = opened.adopt(await openBrowser(), (open) => open.close())
const pages: FirstPage[] = [
  { path: '/console/sign-in', usable: 'input[type=email]' },
  { path: '/console/home', usable: 'main a[href*="/console/transactions?"]', member },
]
console.log('ms of each time, the median; scripts and their bytes as sent')
for (const page of pages) {
  const measured: Measured[] = []
  for (let time = 0; time < TIMES; time++) measured.push(await measure(browser, page))
  const times = measured.map(({ ms }) => Math.round(ms))
  const median = times.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]
  const [{ scripts, bytes } = { scripts: 0, bytes: 0 }] = measured
  console.log(`${page.path}  ${times.join(' ')}  ${median} ms  ${scripts} scripts, ${bytes} bytes`)
}

/** A new context has an empty cache. */
async function measure(browser: Browser, { path, usable, member }: FirstPage): Promise<Measured> {
  const viewport = { width: 1440, height: 900 }
  // The policy of the console lets no script of a measurement in.
  const context = await browser.newContext({ locale: 'en', viewport, bypassCSP: true })
  if (member) {
    const { cookie } = member
    await context.addCookies([{ ...cookie, url: base_url, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  // The page itself sees its element first: asked from outside, the answer would come later.
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector('${usable}')) return
    globalThis.usableAfter = performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto(base_url + path)
  const seen = await page.waitForFunction('globalThis.usableAfter')
  const ms = Number(await seen.jsonValue())
  const sent: unknown = await page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < globalThis.usableAfter)
    .map(({ encodedBodySize }) => encodedBodySize)`)
  const sizes = Array.isArray(sent) ? sent.map(Number) : []
  await context.close()
  return { ms, scripts: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Home has figures once a card has paid. */
async function pay({ call }: Member): Promise<void> {
  const [product] = (await call('GET', '/v1/cardproducts')).data
  const user = await call('POST', '/v1/users', { first_name: 'Noura', last_name: 'Haddad' })
  const card = await call('POST', '/v1/cards', {
    ...{ card_type: 'VIRTUAL', user_id: user.id, card_product_id: product.id },
  })
  const active = { status: 'ACTIVE', status_reason_code: 'a0' }
  await call('PUT', `/v1/cards/${card.id}:statuschange`, active)
  const amount = { currency: 'AED', amount: 100 }
  await call('POST', `/v1/accounts/${card.account_id}:loadfunds`, amount)
  await call('POST', '/v1/simulate/authorizations', { card_id: card.id, ...amount })
}
