/** The program with its console, and a browser that looks at it. */

import axe from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { browserUrl, withBoundPorts } from '#src/config/config.ts'
import { openContexts } from '#test/support/browser.ts'
import { keepIn } from '#test/support/keeper.ts'
import { PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { english, type Words } from './words.ts'

export type Opened = {
  page: Page
  context: BrowserContext
  /** Errors of the page, texts that it lacks, and requests of it to another origin. */
  faults: string[]
}

export type ConsoleStage = {
  world: World
  /** The origin of the program, as a start prints it for a browser. */
  home: string
  openPage: (options?: BrowserContextOptions) => Promise<Opened>
  /** Opens the printed address without a session, which leads to Sign in. */
  begin: (page: Page) => Promise<void>
  /** Begins, and signs up; the page with the key follows. Returns the e-mail. */
  signUp: (page: Page, t?: Words) => Promise<string>
  /** Begins, signs in by the form, and opens a page of the console. */
  signIn: (opened: Opened, email: string, path: string) => Promise<void>
  /** A page of its own that the member has opened. It lasts as long as the stage. */
  open: (email: string, path: string, options: BrowserContextOptions) => Promise<Opened>
  close: () => Promise<void>
}

/** Motion is off, since a test would only wait for it. */
const CONTEXT = { bypassCSP: true, locale: 'en', reducedMotion: 'reduce' } as const

export async function openConsole(): Promise<ConsoleStage> {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openWorld())
  const listening = new URL(await world.app.listen({ host: '127.0.0.1', port: 0 }))
  const bound = withBoundPorts(world.config, { port: Number(listening.port), network_port: 9 })
  world.bind(bound)
  const home = browserUrl(bound)
  const browser = keepIn(opened, await openContexts())
  const kept = opened.move()
  const stage: ConsoleStage = {
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
    async begin(page) {
      await page.context().clearCookies()
      await page.goto(home)
      await page.waitForURL(/\/console\/sign-in/)
    },
    async signUp(page, t = english) {
      const email = someEmail()
      await stage.begin(page)
      await page.getByRole('link', { name: t.pages.sign_up, exact: true }).click()
      await page.getByRole('heading', { name: t.pages.sign_up, level: 1 }).waitFor()
      await page.getByLabel(t.account.email).fill(email)
      await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
      await page.getByLabel(t.entrance.organization).fill('Palm Bank')
      await page.getByRole('button', { name: t.entrance.create }).click()
      await page.getByLabel(t.account.key, { exact: true }).waitFor()
      return email
    },
    async signIn({ page }, email, path) {
      await stage.begin(page)
      // Found without words: the page may be in either language.
      await page.locator('input[autocomplete=username]').fill(email)
      await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
      await page.locator('button[type=submit]').click()
      await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
      if (!page.url().endsWith(`/console${path}`)) await page.goto(`${home}/console${path}`)
    },
    async open(email, path, options) {
      const seen = await stage.openPage(options)
      await stage.signIn(seen, email, path)
      return seen
    },
    close: () => kept.disposeAsync(),
  }
  return stage
}

/** A dialog has its name one rendering after it is there. */
const UNFINISHED = '.mantine-Skeleton-root, [role=dialog]:not([aria-labelledby], [aria-label])'

export const IS_LOADED = `document.querySelector('${UNFINISHED}') === null`

/**
 * Each finding as its rule and the element. Rules that pass are left out. Between a look at the
 * page from here and this one a dialog may open; axe-core takes the elements as it is called.
 */
const FINDINGS = `(async () => {
  while (!(${IS_LOADED})) await new Promise(requestAnimationFrame)
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html))
})()`

/** The findings of axe-core on a page; it stays there until another document is loaded. */
export async function faultsOfAxe(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(`typeof axe === 'object'`)
  return page.evaluate(isThere ? FINDINGS : `${axe.source}; ${FINDINGS}`)
}

/** The number of pixels by which a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/**
 * Each element that a finger presses and that is less than 44 pixels high (D-889). A link within a
 * sentence is as high as its line, a link of a row is as high as the row, a box is pressed by its
 * label, and the edges of a field are outside of it.
 */
const SMALL = `[...document.querySelectorAll('a, button, input, select, textarea, summary')]
  .filter((part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter((part) => getComputedStyle(part).display !== 'inline')
  .map((part) => (/checkbox|radio/.test(part.type) && part.labels?.[0]) || part)
  .map((part) => [part.getBoundingClientRect(), part])
  .filter(([{ width, height }]) => width > 1 && height > 1 && height < 42)
  .map(([{ height }, part]) => height + ' ' + part.outerHTML.slice(0, 200))`

export const smallTargetsOf = (page: Page): Promise<string[]> => page.evaluate(SMALL)

/** Each cell of a list whose content lies outside of it, where it covers the next one. */
const COVERING = `[...document.querySelectorAll('td[data-title]')].flatMap((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const [own, inner] = [cell.getBoundingClientRect(), range.getBoundingClientRect()]
  const isOut = inner.left < own.left - 1 || inner.right > own.right + 1
  return own.width > 0 && inner.width > 0 && isOut ? [cell.outerHTML.slice(0, 200)] : []
})`

export const coveringCellsOf = (page: Page): Promise<string[]> => page.evaluate(COVERING)
