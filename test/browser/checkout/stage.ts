/** A shop with a brand, its customers, and a browser that opens its payment pages. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { withBoundPorts } from '#src/config/config.ts'
import { type Customer, openShop, type Shop } from '#test/e2e/shop.ts'
import { openContexts } from '#test/support/browser.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

export const WIDE = { width: 1280, height: 800 }
export const PHONE = { width: 375, height: 720 }

/** Adds up to the total of `checkoutBody`, 100.50. */
export const ORDER = {
  shipping_amount: '15',
  tax_amount: '4.50',
  discount: '-10',
  lines: [
    {
      title: 'A history of Dubai, from the pearl divers to the tallest tower',
      quantity: 2,
      price: '25.50',
      image_url: 'https://pictures.example/dubai.jpg',
    },
    { title: 'أطلس الخليج العربي', quantity: 1, price: 40 },
  ],
}

export type Opened = { page: Page; id: string; reference: string }
type OpenOptions = {
  /** The checkout, beyond that of every test. */
  fields?: object
  lang?: 'en' | 'ar'
  browser?: BrowserContextOptions
}

export type Stage = {
  shop: Shop
  /** The origin of the platform, and that of the shop's own pages. */
  home: string
  site: string
  rich: Customer
  poor: Customer
  /** Opens the payment page of a new checkout. */
  open: (options?: OpenOptions) => Promise<Opened>
  close: () => Promise<void>
}

/** `others` are further settings of the merchant. */
export async function openStage(others: object = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const settings = { brand_color: '#0b6e4f', logo: LOGO, ...others }
  const shop = opened.use(await openShop({ settings }))
  const home = await shop.app.listen({ host: '127.0.0.1', port: 0 })
  const ports = { port: Number(new URL(home).port), network_port: shop.issuer_port }
  shop.bind(withBoundPorts(shop.config, ports))
  const server = keepIn(opened, await serveSite())
  // Another name makes another site.
  const site = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = keepIn(opened, await openContexts())
  const [rich, poor] = [await shop.customer(10_000_000n), await shop.customer(100n)]
  const kept = opened.move()
  return {
    shop,
    home,
    site,
    rich,
    poor,
    async open({ fields = {}, lang = 'en', browser: options = {} } = {}) {
      const context = await browser.newContext({ viewport: WIDE, ...options })
      await context.route('https://pictures.example/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
      )
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      const urls = {
        confirm_callback_url: `${site}/thanks`,
        reject_callback_url: `${site}/basket`,
      }
      const checkout = await shop.checkout({ ...urls, order: ORDER, ...fields })
      await page.goto(`${checkout.checkout_url}&lang=${lang}`)
      return { page, id: checkout.id, reference: checkout.reference }
    },
    close: () => kept.disposeAsync(),
  }
}

/** Types a card as a person does; the page's script formats it. */
export async function type(page: Page, card: Customer): Promise<void> {
  await page.locator('#card_number').pressSequentially(card.card_number)
  await page.locator('#expiry').pressSequentially(card.expiry)
  await page.locator('#cvv2').pressSequentially(card.cvv2)
}

export const pay = (page: Page): Promise<void> => page.locator('button').click()

/**
 * Waits until the page is at the URL. After a double click the second press may end the navigation
 * of the first, which `waitForURL` takes for a failure.
 */
export const arrived = (page: Page, url: string): Promise<true> =>
  until(`the page ${url}`, () => page.url() === url)

/** The shop's own pages; /frame?url= frames a payment page and keeps what it posts. */
async function serveSite(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://any')
    const framed = searchParams.get('url')?.replaceAll('&', '&amp;')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><h1>${pathname}</h1>
<script>window.received = []
addEventListener('message', ({ data }) => received.push(data))</script>
${framed ? `<iframe title="Payment" width="480" height="700" src="${framed}"></iframe>` : ''}`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"/>'
/** A green square. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mPgzvPHih' +
  'iGlgQAeOUyAWxdOPsAAAAASUVORK5CYII='
