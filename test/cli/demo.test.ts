/** What the demo makes of a refusal. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DemoFault, type Sandbox } from '../../tools/demo/client.ts'
import { makeProgram } from '../../tools/demo/issuing.ts'
import { printToStandardError } from '../../tools/demo/print.ts'

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
