/**
 * A broken enumerated member hides no fault that does not depend on it (D-125, D-1000). Mistakes are
 * found by asking, enumerated members in the documents.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { chances, SEED } from '#test/support/chances.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import {
  type Enumerated,
  enumeratedOf,
  leavesOf,
  withValue,
} from '#test/support/contract/places.ts'
import { callerOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
await liftRateLimit(world.db)
const own = await createBelongings(world)

/** No operation allows it. */
const NO_WORD = 'NO_SUCH_WORD'
/** Values that a schema may permit and a rule rejects. */
const SUSPECTS = [randomUUID(), 'ZZZ', 'ZZ', '1.23456', '2999-01-01', '1901-01-01', '?', 0]

type Body = Record<string, unknown>
/** Makes a body wrong in one way; `of` are the members that it touches. */
type Mistake = { of: string[][]; make: (body: Body) => Body }
type Fault = { path: string; message: string }

/** The faults of the sample with a change; none of an answer that names none. */
async function faultsOf(operation: Operation, change: (body: Body) => Body): Promise<Fault[]> {
  const { params, body = {} } = sampleOf(operation, own) ?? {}
  const options = callerOf(operation, world, own)
  const url = urlOf(operation, params)
  const answer = await world.request(operation.method, url, change(body), options)
  assert.ok(answer.status < 429, answer.text)
  return answer.status === 400 ? (answer.body.errors ?? []) : []
}

function* mistakesIn(body: Body, leaves: readonly string[][]): Generator<Mistake> {
  for (const name of Object.keys(body)) {
    yield { of: [[name]], make: ({ [name]: _, ...rest }) => rest }
  }
  for (const of of leaves) {
    for (const value of SUSPECTS) yield { of: [of], make: (given) => withValue(given, of, value) }
  }
  const dates = leaves.filter((steps) => /date/.test(steps.at(-1) ?? ''))
  for (const later of dates) {
    for (const earlier of dates) {
      if (later === earlier) continue
      const make = (given: Body) =>
        withValue(withValue(given, later, '2020-01-01'), earlier, '2010-01-01')
      yield { of: [later, earlier], make }
    }
  }
}

/** A schema finds these by itself, whatever else is wrong. */
const OF_SHAPE = /^must (be (of type|one of|[<>])|match|NOT)|^is (required|not known here)$/

/** One mistake for each set of faults of rules that there is. */
async function mistakesOf(operation: Operation, leaves: readonly string[][]): Promise<Mistake[]> {
  const found = new Map<string, Mistake>()
  for (const mistake of mistakesIn(sampleOf(operation, own)?.body ?? {}, leaves)) {
    const faults = await faultsOf(operation, mistake.make)
    const name = faults.map(textOf).sort().join()
    const isOfRule = faults.some(({ message }) => !OF_SHAPE.test(message))
    if (isOfRule && !found.has(name)) found.set(name, mistake)
  }
  return [...found.values()]
}

const textOf = ({ path, message }: Fault) => `${path}: ${message}`

/**
 * Faults beside the member that are found with any of its values, and without it: none of these
 * decides about them.
 */
async function certainFaults(
  operation: Operation,
  { steps, words }: Enumerated,
  { make }: Mistake,
): Promise<string[]> {
  let common: string[] | undefined
  for (const word of words) {
    const faults = await faultsOf(operation, (body) => withValue(make(body), steps, word))
    const texts = faults.filter(({ path }) => !isAbout(path, pathOf(steps))).map(textOf)
    common = common?.filter((text) => texts.includes(text)) ?? texts
    if (common.length === 0) return []
  }
  const without = await faultsOf(operation, (body) => withValue(make(body), steps, undefined))
  const isNeeded = without.some(({ path }) => path === pathOf(steps))
  const texts = without.map(textOf)
  return (common ?? []).filter((text) => isNeeded || texts.includes(text))
}

/**
 * Whether a fault is about the member, or about a part around it: such a fault counts for its
 * members, too.
 */
const isAbout = (path: string, member: string) =>
  path.startsWith(member) || member.startsWith(`${path}.`)
const pathOf = (steps: readonly string[]) =>
  steps.map((step) => (step === '[]' ? '0' : step)).join('.')
const touches = ({ of }: Mistake, { steps }: Enumerated) => of.some(([first]) => first === steps[0])

/** One pair in so many is compared in the usual run, by chance; all in the deep one. */
const ONE_IN = process.env['TEST_DEEP'] === '1' ? 1 : 5
const chance = chances(SEED)

let compared = 0
for (const { operations, resolve } of documentsOf(world.config)) {
  for (const operation of operations) {
    const { body, name } = operation
    const places = body ? enumeratedOf(body, resolve) : []
    if (!body || places.length === 0) continue
    test(`${name} names each fault beside an enumerated member at fault`, async () => {
      assert.ok(sampleOf(operation, own), 'the operation has no sample')
      const mistakes = await mistakesOf(operation, leavesOf(body, resolve))
      for (const place of places) {
        for (const mistake of mistakes.filter((one) => !touches(one, place))) {
          if (chance() * ONE_IN >= 1) continue
          const certain = await certainFaults(operation, place, mistake)
          const broken = (given: Body) => withValue(mistake.make(given), place.steps, NO_WORD)
          const named = (await faultsOf(operation, broken)).map(textOf)
          const missing = certain.filter((fault) => !named.includes(fault))
          assert.deepEqual(missing, [], `${pathOf(place.steps)} hides them of ${mistake.of}`)
          assert.ok(named.some((fault) => fault.startsWith(pathOf(place.steps))))
          compared += certain.length > 0 ? 1 : 0
        }
      }
    })
  }
}

test('the comparison covers many pairs', () => {
  assert.ok(compared * ONE_IN > 100, String(compared))
})
