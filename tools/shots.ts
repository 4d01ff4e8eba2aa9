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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { way: { type: 'string' }, out: { type: 'string', default: 'shots' } },
})

const chosen = shots.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
)
const ways = WAYS.filter(({ name }) => values.way === undefined || name === values.way)
if (chosen.length === 0 || ways.length === 0) {
  console.error('No shot has such a name. The names are:')
  console.error(shots.map(({ name }) => `  ${name}`).join('\n'))
  process.exitCode = 1
} else {
  process.exitCode = await run()
}

/** The exit code: 1 where a page could not be pictured. */
async function run(): Promise<number> {
  await using opened = new AsyncDisposableStack()
  console.log('Starting a sandbox …')
  const sandbox = opened.use(await openSandbox())
  console.log('Filling it …')
  const scene = await makeScene(sandbox)
  const browser = opened.adopt(await openBrowser(), (open) => open.close())
  mkdirSync(values.out, { recursive: true })
  const failed = await takeShots({ browser, scene, shots: chosen, ways, out: values.out })
  const count = chosen.length * ways.length - failed.length
  console.log(`${count} pictures are in ${values.out}/.`)
  for (const line of failed) console.error(line)
  return failed.length === 0 ? 0 : 1
}
