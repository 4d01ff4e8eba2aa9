/** Chromium for the tests: the system's where there is one, else the one of the npm package. */

import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sparticuz, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/**
 * Runs as any user, also as root of a container, whose /dev/shm is small. What sparticuz proposes
 * would turn off the very borders between origins that are tested here.
 */
const ARGS = [
  ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  // Without a graphics card a process of its own for it costs two fifths of the CPU time of a test.
  ...['--in-process-gpu', '--disable-gpu-compositing'],
  // To optimize scripts is a tenth of the CPU time of a test, whose pages end before it pays.
  '--js-flags=--no-opt',
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = SYSTEM.find((path) => existsSync(path))
  const program = executablePath === undefined ? await bundled() : { executablePath }
  const launch = () => chromium.launch({ ...program, args: ARGS, headless: true })
  // The first start on a new machine was once ended by a fault within Chromium's own threads.
  return launch().catch(launch)
}

/** With its libraries and fonts, which a machine without a desktop does not have. */
async function bundled() {
  const libraries = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))
  const [executablePath, folder] = await Promise.all([
    sparticuz.executablePath(),
    inflate(fileURLToPath(libraries)),
  ])
  const LD_LIBRARY_PATH = join(folder, 'lib')
  const FONTCONFIG_PATH = join(tmpdir(), 'fonts')
  return { executablePath, env: { ...process.env, LD_LIBRARY_PATH, FONTCONFIG_PATH } }
}
