/** Chromium for the tests: the system's where there is one, else the one that npm brings. */

import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/**
 * Runs as any user, also as root of a container, whose /dev/shm is small. What sparticuz proposes
 * would turn off the very borders between origins that are tested here.
 */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

export async function openBrowser(): Promise<Browser> {
  const system = SYSTEM.find((path) => existsSync(path))
  return chromium.launch({
    executablePath: system ?? (await sparticuz.executablePath()),
    args: ARGS,
    headless: true,
  })
}
