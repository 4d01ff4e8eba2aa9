/** A shop's page on an origin of its own that frames widgets, and a browser that looks at it. */

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import type { WidgetName } from '#issuing/widgets/schema.ts'
import { withBoundPorts } from '#src/config/config.ts'
import { openContexts } from '#test/support/browser.ts'
import { makeRevealedCard } from '#test/support/issuer.ts'
import { keepIn } from '#test/support/keeper.ts'
import { openWorld, type World } from '#test/support/world.ts'

export type Card = { id: string; card_number: string; expiry_date: string; cvv2: string }

/** The loader's events and every message that the shop's page has received. */
export type Received = { events: [name: string, detail: object][]; messages: string[] }

export type Scene = {
  page: Page
  /** The frame of the widget; the shop's page if there is no widget. */
  frame: Frame
  received: () => Promise<Received>
  /** Waits until the shop's page has received an event. */
  receives: (name: string) => Promise<void>
  close: () => Promise<void>
}

/** Everything that left a browser or that another page could read. */
export type Traces = { urls: string[]; console: string[]; messages: string[] }

type OpenOptions = {
  lang?: string
  /** The origin of the page that frames the widget; by default the shop's. */
  by?: string
  browser?: BrowserContextOptions
}

export type Stage = {
  world: World
  /** The origins of the platform, of the shop, and of another site. */
  home: string
  shop: string
  foreign: string
  seen: Traces
  card: (status?: 'ACTIVE' | 'INACTIVE') => Promise<Card>
  url: (card: Card, widget: WidgetName) => Promise<string>
  /** Opens the shop's page with a widget in it. */
  open: (url: string, options?: OpenOptions) => Promise<Scene>
  close: () => Promise<void>
}

const EVENTS = ['ready', 'done', 'hidden', 'error'].map((name) => `bezant:${name}`)

export async function openStage(): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld())
  const home = await world.app.listen({ host: '127.0.0.1', port: 0 })
  world.bind(withBoundPorts(world.config, { port: Number(new URL(home).port), network_port: 9 }))
  const shopServer = keepIn(opened, await servePage(home))
  const foreignServer = keepIn(opened, await servePage(home))
  // Another name makes another site of the shop, so that its frame is in a process of its own.
  const [shop, foreign] = [originOf('localhost', shopServer), originOf('127.0.0.1', foreignServer)]
  const browser = keepIn(opened, await openContexts())
  const seen: Traces = { urls: [], console: [], messages: [] }
  const kept = opened.move()
  return {
    world,
    home,
    shop,
    foreign,
    seen,
    card: (status = 'ACTIVE') => makeRevealedCard(world, { status }),
    async url({ id }, widget) {
      const path = `/v1/cards/${id}:widgettoken`
      const { body, text } = await world.request('POST', path, { widget, origin: shop })
      assert.ok(body.url.startsWith(`${home}/widgets/`), text)
      return body.url
    },
    async open(url, { lang = 'en', by = shop, browser: options = {} } = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      context.on('request', (request) => seen.urls.push(request.url()))
      page.on('console', (message) => seen.console.push(message.text()))
      page.on('pageerror', (error) => seen.console.push(String(error)))
      await page.clock.install()
      await page.goto(`${by}/?${new URLSearchParams({ url, lang })}`)
      const frame = page.frames().at(-1)
      assert.ok(frame)
      const received = () => page.evaluate(() => Reflect.get(globalThis, 'received') as Received)
      return {
        page,
        frame,
        received,
        receives: async (name) => {
          await page.waitForFunction(
            (name_of_event) =>
              (Reflect.get(globalThis, 'received') as Received).events.some(
                ([event]) => event === name_of_event,
              ),
            `bezant:${name}`,
            { polling: 20 },
          )
        },
        async close() {
          seen.messages.push(...(await received()).messages)
          await context.close()
        },
      }
    },
    close: () => kept.disposeAsync(),
  }
}

/** The page of a shop: one line embeds the widget; the rest records what it receives. */
async function servePage(home: string): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const { searchParams: options } = new URL(url, 'http://any')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
<body style="margin:0"><script>
window.received = { events: [], messages: [] }
for (const name of ${JSON.stringify(EVENTS)})
  document.addEventListener(name, ({ type, detail }) => received.events.push([type, detail]))
window.addEventListener('message', ({ data }) => received.messages.push(JSON.stringify(data)))
</script><div>
<script src="${home}/widgets/loader.js" data-url="${options.get('url')}"
  data-lang="${options.get('lang')}"></script>
</div>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

const originOf = (host: string, server: Server) =>
  `http://${host}:${(server.address() as AddressInfo).port}`
