/**
 * Helpers for the tests of the suite: it runs as the library is published, in every runtime, so it
 * imports nothing but the library and modules of Node that all of them have.
 */

import process from 'node:process'
import type { SuiteGiven, SuiteResult } from '../given.ts'

const tests: [name: string, run: () => unknown][] = []
const closing: (() => unknown)[] = []

export const given: SuiteGiven = JSON.parse(process.env['SUITE'] ?? '{}')

export function test(name: string, run: () => unknown): void {
  tests.push([name, run])
}

/** Closes it when every test has ended. */
export function keep<Thing extends { close: () => unknown }>(thing: Thing): Thing {
  closing.push(() => thing.close())
  return thing
}

/** Prints the result of each test as a line of JSON. */
export async function runTests(): Promise<void> {
  for (const [name, run] of tests) print({ name, fault: await faultOf(run) })
  for (const close of closing.toReversed()) await close()
}

const print = (result: SuiteResult) => console.log(JSON.stringify(result))

async function faultOf(run: () => unknown): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    return error instanceof Error ? `${error.stack ?? error.message}` : String(error)
  }
}

const LOOK_MS = 5

/** The first value that is not undefined. The suite as a whole is ended where it takes too long. */
export async function until<Value>(look: () => Value | undefined): Promise<Value> {
  for (;;) {
    const value = look()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
