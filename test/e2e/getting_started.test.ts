/** The commands of /docs/start work as they are printed, in the shell of a reader. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { story } from '#src/program/pages/getting_started.ts'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

test('the story of /docs/start runs to its end', async () => {
  const DATA_DIR = dataFolder()
  const program = launch({ DATA_DIR, DATABASE_URL: database.url })
  await program.ready
  const marks = story.map(({ command }, at) => `${command}\necho; echo "== ${at + 1}"`)
  const script = `set -euo pipefail\n${marks.join('\n')}`
  const output = await run(script, dirname(DATA_DIR))
  const parts = output.split(/\n== \d+\n/)
  assert.equal(parts.length, story.length + 1, output)
  const [, , , loaded, held, trace, cleared, checkout, events] = parts
  assert.match(loaded ?? '', /"balance":500/)
  assert.match(held ?? '', /"available_balance":379.5,"held_amount":120.5/)
  assert.match(trace ?? '', /"check":"funds"/)
  assert.match(cleared ?? '', /"balance":379.5,"available_balance":379.5,"held_amount":0/)
  assert.match(checkout ?? '', /"checkout_url":"http/)
  assert.match(events ?? '', /"event":"TRANSACTION"/)
  const again = (await run(script, dirname(DATA_DIR))).split(/\n== \d+\n/)
  assert.match(again[3] ?? '', /"balance":500/, 'a second reader')
  program.kill('SIGTERM')
  assert.equal(await program.ended, 0)
})

/** Both outputs of a bash script; fails if the script fails. */
async function run(script: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-c', script], { cwd, timeout: PATIENCE_MS, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.equal(code, 0, output)
  return output
}
