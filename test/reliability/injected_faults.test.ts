/**
 * Each step of each request that writes is made to fail in turn: every statement, at the server and
 * before it is sent, every sealing, every text that is made. The answer and the database agree, and
 * a repeat under the key ends the request (D-360, D-945).
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { walkExamples } from '#test/support/examples/examples.ts'
import type { Sending } from '#test/support/examples/story.ts'
import { openInjector } from '#test/support/faults/injector.ts'
import { openDigest, tablesChanged } from '#test/support/inspection/digest.ts'
import type { Answer, World } from '#test/support/world.ts'

const deep = process.env['TEST_DEEP'] === '1'
/** One step in so many fails, of each request others. */
const STEP = deep ? 1 : 18
/** No request has so many steps. */
const STEPS_MAX = 500

type Seen = { requests: number; faults: number; survived: number; broken: string[] }

const WHOLE_MS = deep ? 3_600_000 : 900_000
const promise = 'a request one of whose steps fails has no effect, and its repeat has it once'

test(promise, { timeout: WHOLE_MS }, async (t) => {
  const seen: Seen = { requests: 0, faults: 0, survived: 0, broken: [] }
  const injectors: { close: () => void }[] = []
  try {
    await walkExamples((world) => {
      const { sending, close } = failing(world, seen)
      injectors.push({ close })
      return sending
    })
  } finally {
    for (const one of injectors) one.close()
  }
  t.diagnostic(JSON.stringify(seen))
  assert.deepEqual(seen.broken, [])
  assert.ok(seen.requests > 100, `${seen.requests} requests were tried`)
  assert.ok(seen.faults * STEP > 3_000, `${seen.faults} faults were planted`)
})

/** Sends each request that writes with every fault in turn, then without one. */
function failing(world: World, seen: Seen): { sending: Sending; close: () => void } {
  const injector = openInjector(world.services.keys)
  const digest = openDigest(world.db)
  const routes = new Map(
    contractsOf(world.config, sandbox)
      .flatMap((api) => api.routes)
      .map((route) => [route.id, route]),
  )
  let key = 0
  const sending: Sending = async ({ id, method }, send) => {
    const route = routes.get(id)
    // A responder answers while the request that asks it waits.
    if (!route || method === 'GET' || injector.isBusy()) return injector.spare(() => send())
    // The others have effects of several transactions, or read a body that can be sent once.
    const isOne = !route.commitsItself && !route.keepsOwnAnswer && !route.receive
    key += 1
    const name = `faults-${key}`
    const headers = { 'x-bezant-idempotency-key': name, 'idempotency-key': name }
    seen.requests += 1
    const content = await digest
    let before = isOne ? await content() : undefined
    // Some count what fails, as sign-ins do.
    const most = route.commitsItself ? 5 : STEPS_MAX
    for (let at = key % STEP; at < most; at += STEP) {
      const { result, kind } = await injector.during(at, () => send(headers))
      if (kind === undefined) return result
      seen.faults += 1
      if (isDone(result)) {
        seen.survived += 1
        return result
      }
      if (!before) continue
      const after = await content()
      const changed = tablesChanged(before, after)
      before = after
      if (changed.length > 0) {
        seen.broken.push(`${id}, ${kind} ${at}: ${result.status}, but ${changed.join(', ')}`)
      }
    }
    return send(headers)
  }
  return { sending, close: injector.close }
}

const isDone = ({ status }: Answer): boolean => status < 300
