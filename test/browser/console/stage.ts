/** The program with its console, and a browser that looks at it. */

import axe from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { withBoundPorts } from '#src/config/config.ts'
import { openBrowser } from '#test/support/browser.ts'
import { keepIn } from '#test/support/keeper.ts'
import { PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { openWorld, type World } from '#test/support/world.ts'

export type Opened = {
  page: Page
  context: BrowserContext
  /** Errors of the page, texts that it lacks, and requests of it to another origin. */
  faults: string[]
}

export type ConsoleStage = {
  world: World
  /** The origin of the program. */
  home: string
  openPage: (options?: BrowserContextOptions) => Promise<Opened>
  /** Fills the form of Sign up; the page with the key follows. Returns the e-mail. */
  signUp: (page: Page) => Promise<string>
  /** Signs in without the form, and opens a page of the console. */
  signIn: (opened: Opened, email: string, path: string) => Promise<void>
  close: () => Promise<void>
}

/** What moves would only be waited for. */
const CONTEXT = { bypassCSP: true, locale: 'en', reducedMotion: 'reduce' } as const

export async function openConsole(): Promise<ConsoleStage> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld())
  const home = await world.app.listen({ host: '127.0.0.1', port: 0 })
  world.bind(withBoundPorts(world.config, { port: Number(new URL(home).port), network_port: 9 }))
  const browser = keepIn(opened, await openBrowser())
  const kept = opened.move()
  return {
    world,
    home,
    async openPage(options = {}) {
      // The policy of the console lets no script of a test in.
      const context = await browser.newContext({ ...CONTEXT, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.text().startsWith('no text')) faults.push(message.text())
      })
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== home) faults.push(request.url())
      })
      return { page, context, faults }
    },
    async signUp(page) {
      const email = someEmail()
      await page.goto(`${home}/console/sign-up`)
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByLabel('Organization').fill('Palm Bank')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByLabel('API key', { exact: true }).waitFor()
      return email
    },
    async signIn({ page, context }, email, path) {
      const headers = { origin: home }
      const data = { email, password: PASSWORD }
      await context.request.post(`${home}/portal/v1/sessions`, { headers, data })
      await page.goto(`${home}/console${path}`)
    },
    close: () => kept.disposeAsync(),
  }
}

/** Each finding as its rule and the element. */
const FINDINGS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`

/** What axe-core finds on a page. */
export const faultsOfAxe = (page: Page): Promise<string[]> =>
  page.evaluate(`${axe.source}; ${FINDINGS}`)

/** By how many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')
