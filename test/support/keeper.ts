/** Keeps what a test file or a scene has opened, until it is closed. */

import { after } from 'node:test'

type Closable =
  | { close: () => unknown }
  | { [Symbol.asyncDispose]: () => PromiseLike<void> }
  | { [Symbol.dispose]: () => void }

/**
 * Keeps what a test file opens, and closes it in the reverse order after the tests of the file,
 * also where the file fails before it has opened the rest. Call it before the first thing is
 * opened.
 */
export function keeper(): <Thing extends Closable>(thing: Thing) => Thing {
  const stack = new AsyncDisposableStack()
  after(() => stack.disposeAsync())
  return (thing) => keepIn(stack, thing)
}

/** The thing, which is closed with the stack. */
export function keepIn<Thing extends Closable>(stack: AsyncDisposableStack, thing: Thing): Thing {
  const one: Closable = thing
  stack.defer(async () => {
    if (Symbol.asyncDispose in one) await one[Symbol.asyncDispose]()
    else if (Symbol.dispose in one) one[Symbol.dispose]()
    else await one.close()
  })
  return thing
}
