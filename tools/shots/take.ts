/** Opens pages in a browser and writes their pictures. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Member } from './member.ts'
import type { Scene } from './scene.ts'
import type { Shot } from './shot.ts'

type Way = { name: string; options: BrowserContextOptions }

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

export const WAYS: readonly Way[] = [
  { name: 'wide', options: { viewport: WIDE, locale: 'en' } },
  { name: 'dark', options: { viewport: WIDE, locale: 'en', colorScheme: 'dark' } },
  { name: 'arabic', options: { viewport: WIDE, locale: 'ar' } },
  { name: 'phone', options: { viewport: PHONE, locale: 'en', deviceScaleFactor: 2 } },
]

const PATIENCE_MS = 15_000
/** Nothing is drawn as a placeholder any more, and the fonts are there. */
const IS_DRAWN = `document.querySelector('.mantine-Skeleton-root') === null &&
  document.fonts.status === 'loaded' && document.body.innerText.trim() !== ''`

type Session = { browser: Browser; scene: Scene; shots: readonly Shot[]; out: string }

/** Returns a line for each picture that could not be taken. */
export async function takeShots({ ways, ...session }: Session & { ways: readonly Way[] }) {
  const failed: string[] = []
  for (const way of ways) failed.push(...(await takeWay(session, way)))
  return failed
}

async function takeWay({ browser, scene, shots, out }: Session, way: Way): Promise<string[]> {
  const failed: string[] = []
  for (const [as, own] of Map.groupBy(shots, (shot) => shot.as)) {
    // The policy of the console lets no script of a tool in.
    const settled = { reducedMotion: 'reduce', bypassCSP: true } as const
    const context = await browser.newContext({ ...settled, ...way.options })
    if (as !== 'nobody') await signIn(context, scene, scene[as])
    for (const shot of own) {
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      const path = `${out}/${shot.name}.${way.name}.png`
      process.stdout.write(`  ${path}\n`)
      await take(page, scene, shot, path).catch((error: unknown) => {
        failed.push(`${path}: ${String(error).split('\n')[0]}`)
      })
      await page.close()
    }
    await context.close()
  }
  return failed
}

async function signIn(
  context: Awaited<ReturnType<Browser['newContext']>>,
  { base_url }: Scene,
  { cookie }: Member,
): Promise<void> {
  await context.addCookies([{ ...cookie, url: base_url, httpOnly: true, sameSite: 'Lax' }])
}

async function take(page: Page, scene: Scene, shot: Shot, path: string): Promise<void> {
  const address = typeof shot.path === 'string' ? shot.path : shot.path(scene)
  await page.goto(new URL(address, scene.base_url).href)
  await page.waitForFunction(IS_DRAWN)
  await shot.act?.(page, scene)
  if (shot.isWindow && shot.act) await page.getByRole('dialog').first().waitFor()
  await page.waitForFunction(IS_DRAWN)
  // The head of the page stays in sight: in a picture of the whole page it would lie on the rows.
  if (!shot.isWindow) await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path, fullPage: !shot.isWindow, animations: 'disabled' })
}
