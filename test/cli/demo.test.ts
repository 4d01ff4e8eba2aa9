/** The demo after a rejected request, and commands with a sandbox.json that they cannot use. */

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { DemoFault, type Sandbox } from '../../apps/cli/server/demo/client.ts'
import { makeProgram } from '../../apps/cli/server/demo/issuing.ts'
import { printToStandardError } from '../../apps/cli/server/demo/print.ts'

printToStandardError()

/** Answers each request for a card product with the next of these; then one is made. */
function sandboxRefusing(codes: string[]) {
  const bins: string[] = []
  const issuing: Sandbox['issuing'] = async (_method, route, body) => {
    if (route !== '/cardproducts') return { id: 'u' }
    bins.push(Object(body).bin)
    const code = codes.shift()
    if (code !== undefined) throw new DemoFault(`it is ${code}`, code)
    return { id: 'p', ...body }
  }
  // The demo makes its programme by this function alone.
  return { sandbox: { issuing } as Sandbox, bins }
}

test('another BIN is tried where one is taken, and any other refusal is named', async () => {
  const taken = sandboxRefusing(['bin_taken', 'bin_taken'])
  assert.deepEqual(await makeProgram(taken.sandbox), { user_id: 'u', card_product_id: 'p' })
  assert.equal(taken.bins.length, 3)
  const refused = sandboxRefusing(['permission_missing'])
  await assert.rejects(makeProgram(refused.sandbox), { message: 'it is permission_missing' })
  assert.equal(refused.bins.length, 1)
})

describe('a sandbox.json that cannot be used is named in one line', () => {
  const commands = [['demo'], ['listen'], ['operator', 'a@b.example']]
  /** The file at its path, and the line that names the fault. */
  const cases: [name: string, make: (path: string) => void, line: RegExp][] = [
    ['absent', () => {}, /sandbox\.json does not exist: start the server \(npm start\)/],
    ['damaged', (path) => writeFileSync(path, '{'), /sandbox\.json is damaged: start the server/],
    ['unreadable', (path) => mkdirSync(path), /can be neither read nor written \(EISDIR\)/],
  ]
  for (const [name, make, line] of cases) {
    test(name, async () => {
      const DATA_DIR = dataFolder()
      mkdirSync(DATA_DIR, { recursive: true })
      make(join(DATA_DIR, 'sandbox.json'))
      for (const command of commands) {
        const started = launch({ DATA_DIR }, ['apps/cli/bezant.mjs', ...command])
        assert.equal(await started.ended, 1)
        const [found = '', ...others] = started.errors()
        assert.match(found, line, command.join())
        assert.deepEqual(others, [], command.join())
      }
      rmSync(DATA_DIR, { recursive: true })
    })
  }
})
