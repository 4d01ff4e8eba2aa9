/** Chromium for the tests: the system's where there is one, else the one of the npm package. */

import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { forAllFiles } from './processes/kept_things.ts'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/**
 * Runs as any user, also as root of a container, whose /dev/shm is small. The arguments that
 * sparticuz proposes would turn off the very borders between origins that are tested here.
 */
const ARGS = [
  ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  // Without a graphics card a process of its own for it costs two fifths of the CPU time of a test.
  ...['--in-process-gpu', '--disable-gpu-compositing'],
  // Optimizing scripts takes a tenth of the CPU time of a test, whose pages end before it pays.
  '--js-flags=--no-opt',
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = SYSTEM.find((path) => existsSync(path))
  const program = executablePath === undefined ? await bundled() : { executablePath }
  const launch = () => chromium.launch({ ...program, args: ARGS, headless: true })
  // The first start on a new machine was once ended by a fault within Chromium's own threads.
  return launch().catch(launch)
}

/** A part of the browser: the contexts that it has opened end with it. */
export type Contexts = Pick<Browser, 'newContext'> & { close: () => Promise<void> }

let shared: Promise<Browser> | undefined

async function sharedBrowser(): Promise<Browser> {
  const known = await shared
  if (known?.isConnected()) return known
  shared = openBrowser()
  return forAllFiles.adopt(await shared, (browser) => browser.close())
}

/** Contexts of the one browser that a process of tests has; they share nothing but its processes. */
export async function openContexts(): Promise<Contexts> {
  const browser = await sharedBrowser()
  const opened = new Set<BrowserContext>()
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      opened.add(context)
      return context
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()))
    },
  }
}

/**
 * The bundled browser with its libraries and fonts, which a machine without a desktop does not
 * have.
 */
async function bundled() {
  const folder = await unpacked()
  const LD_LIBRARY_PATH = join(folder, 'al2023', 'lib')
  const FONTCONFIG_PATH = join(folder, 'fonts')
  const env = { ...process.env, LD_LIBRARY_PATH, FONTCONFIG_PATH }
  return { executablePath: join(folder, 'chromium'), env }
}

const PACKAGE = import.meta.resolve('@sparticuz/chromium')

/** It unpacks into the folder for temporary files, and takes what is there for whole. */
const UNPACK = `
  import { fileURLToPath } from 'node:url'
  import sparticuz, { inflate } from ${JSON.stringify(PACKAGE)}
  const libraries = new URL('../bin/al2023.tar.br', ${JSON.stringify(PACKAGE)})
  await Promise.all([sparticuz.executablePath(), inflate(fileURLToPath(libraries))])
`

/**
 * The folder of what was unpacked, once for each user of a machine. On a new one several files of
 * tests begin at one time: each fills a folder of its own, and the first gets the place (D-936).
 */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', PACKAGE), 'utf8'))
  const folder = join(tmpdir(), `bezant-chromium-${version}-${userInfo().uid}`)
  if (existsSync(folder)) return folder
  const draft = mkdtempSync(`${folder}.draft-`)
  try {
    chmodSync(draft, 0o755)
    const env = { ...process.env, TMPDIR: draft }
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { env })
    const fonts = join(draft, 'fonts', 'fonts.conf')
    writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/', `>${folder}/`))
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
