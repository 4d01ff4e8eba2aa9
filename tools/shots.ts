/**
 * `npm run shots`: a picture of every page and state of the console and of the server's pages, in
 * four ways, from a sandbox of its own with data in it.
 *
 *     npm run shots                        all of them, into shots/
 *     npm run shots -- home card           those whose names begin with these words
 *     npm run shots -- --way phone home    only one way: wide, dark, arabic or phone
 *     npm run shots -- --out pictures      into another folder
 */

import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openBrowser } from '#test/support/browser.ts'
import { shots } from './shots/pages.ts'
import { openSandbox } from './shots/sandbox.ts'
import { makeScene } from './shots/scene.ts'
import { takeShots, WAYS } from './shots/take.ts'

type Words = { names: readonly string[]; way?: string | undefined; out: string }

const words = wordsOf()
if (words === undefined) {
  console.error('Say which: npm run shots -- [NAME…] [--way WAY] [--out FOLDER]')
  console.error(`WAY is one of ${WAYS.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 1
} else {
  process.exitCode = await run(words)
}

/** The exit code: 1 where nothing has the name, or a page could not be pictured. */
async function run({ names, way, out }: Words): Promise<number> {
  const chosen = shots.filter(
    ({ name }) => names.length === 0 || names.some((word) => name.startsWith(word)),
  )
  const ways = WAYS.filter(({ name }) => way === undefined || name === way)
  if (chosen.length === 0 || ways.length === 0) {
    console.error('No shot has such a name. The names are:')
    console.error(shots.map(({ name }) => `  ${name}`).join('\n'))
    return 1
  }
  await using opened = new AsyncDisposableStack()
  console.log('Starting a sandbox …')
  const sandbox = opened.use(await openSandbox())
  console.log('Filling it …')
  const scene = await makeScene(sandbox)
  const browser = opened.adopt(await openBrowser(), (open) => open.close())
  mkdirSync(out, { recursive: true })
  const failed = await takeShots({ browser, scene, shots: chosen, ways, out })
  const count = chosen.length * ways.length - failed.length
  console.log(`${count} pictures are in ${out}/.`)
  for (const line of failed) console.error(line)
  return failed.length === 0 ? 0 : 1
}

/** Undefined if an option is not known. */
function wordsOf(): Words | undefined {
  try {
    const options = { way: { type: 'string' }, out: { type: 'string', default: 'shots' } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    return { names: positionals, ...values }
  } catch {
    return undefined
  }
}
