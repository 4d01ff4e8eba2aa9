/**
 * Builds the console into apps/console/dist (D-590).
 *
 *     node apps/console/build.ts             builds where inputs have changed
 *     node apps/console/build.ts --serve     serves it with reloading, in front of a running program
 */

import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify, styleText } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const HERE = import.meta.dirname
const ROOT = `${HERE}/../..`
const DIST = `${HERE}/dist`
/**
 * The look that the console shares with the pages of the server, the numbers that it names, and the
 * client library.
 */
const SHARED = [
  'src/kit/http/answers/tokens.css',
  'src/portal/mails/rules.ts',
  'packages/client/src/**/*.ts',
  'package-lock.json',
]
/** Fonts that src/kit/http/answers/fonts.css names, for the pages of the server. */
const FONTS = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'plex-arabic-400.woff2':
    '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2',
  'plex-arabic-600.woff2':
    '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2',
  'plex-mono.woff2': '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
}
/** The hash of the inputs that a build was made of. */
const STAMP = `${DIST}/inputs.sha256`

const [mode] = process.argv.slice(2)
if (isBuilt() && mode === undefined) {
  console.log('The console is built.')
} else if (!hasTools()) {
  // A release has the console built; a checkout without its development dependencies has none.
  const hint = 'The console is not built: its tools are missing. Run npm ci without --omit=dev.'
  console.log(styleText('yellow', hint))
} else {
  await (mode === '--serve' ? serve() : build())
}

/** Everything that the result depends on. */
function inputs(): string[] {
  const own = globSync('apps/console/**/*.{ts,tsx,css,html,json}', { cwd: ROOT })
  const kept = own.filter((path) => !path.startsWith('apps/console/dist/'))
  return [...kept, ...globSync(SHARED, { cwd: ROOT })].sort()
}

function hashOfInputs(): string {
  const hash = createHash('sha256')
  for (const path of inputs())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(`${ROOT}/${path}`))
  return hash.digest('hex')
}

function isBuilt(): boolean {
  try {
    return readFileSync(STAMP, 'utf8') === hashOfInputs()
  } catch {
    return false
  }
}

function hasTools(): boolean {
  try {
    import.meta.resolve('vite')
    return true
  } catch {
    return false
  }
}

async function build(): Promise<void> {
  const stamp = hashOfInputs()
  const { build: buildApp } = await import('vite')
  const { settings } = await import('./vite.config.ts')
  await buildApp({ ...settings, logLevel: 'warn' })
  await Promise.all(globSync(`${DIST}/assets/*.{js,css}`).map(compress))
  mkdirSync(`${DIST}/fonts`, { recursive: true })
  for (const [name, file] of Object.entries(FONTS)) {
    copyFileSync(fileURLToPath(import.meta.resolve(file)), `${DIST}/fonts/${name}`)
  }
  writeFileSync(STAMP, stamp)
  console.log('The console has been built.')
}

/** Compressed copies are beside each file, so that the server compresses nothing. */
async function compress(path: string): Promise<void> {
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const [gz, br] = [
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params }),
  ]
  writeFileSync(`${path}.gz`, await gz)
  writeFileSync(`${path}.br`, await br)
}

async function serve(): Promise<void> {
  const { createServer } = await import('vite')
  const { settings } = await import('./vite.config.ts')
  const server = await createServer(settings)
  await server.listen()
  server.printUrls()
}
