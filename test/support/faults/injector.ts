/**
 * Makes one step of a request fail: a statement before it is sent, a statement at the server, the
 * sealing of bytes, the making of a text. The steps are counted from 0, so a caller fails each in
 * turn.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import type { Keyring } from '#kit/keys/keyring.ts'

/** The server refuses it, with a code that nothing else has here. */
const REFUSED = `select 'planted'::int`
/** Texts that these make are part of what a request writes or answers. */
const MAKES_TEXT = /\/src\/(issuing|merchant|portal|sandbox|kit\/(db|http\/idempotency|audit_log))/

type Planted = { at: number; seen: number; kind: string | undefined }
type Group = { statements: readonly { text: string }[] }

export type Injector = {
  /** Runs `work`, whose step `at` fails. `kind` is what that was; undefined if it has fewer. */
  during: <Result>(
    at: number,
    work: () => Promise<Result>,
  ) => Promise<{ result: Result; kind: string | undefined }>
  /** Runs `work` beside another, whose steps are not counted meanwhile. */
  spare: <Result>(work: () => Promise<Result>) => Promise<Result>
  isBusy: () => boolean
  close: () => void
}

/**
 * One at a time in a process. With `own` only steps of the work itself fail, and not what goes on
 * beside it, as jobs do; without it nothing else may be at work meanwhile.
 */
export function openInjector(keys: Keyring, { own = false } = {}): Injector {
  let planted: Planted | undefined
  const within = new AsyncLocalStorage<Planted>()
  let spared = 0
  const isNext = (kind: string): boolean => {
    if (!planted || spared > 0 || (own && within.getStore() !== planted)) return false
    if (planted.seen++ !== planted.at) return false
    planted.kind = kind
    return true
  }

  // A statement is published before its values are made what the protocol has.
  let unsent = false
  const onStatement = (message: unknown) => {
    const { values } = message as { values: readonly unknown[] }
    if (values.length > 0 && isNext('unsent')) unsent = true
  }
  subscribe('bezant:statement', onStatement)
  const { prepareValue } = utils
  utils.prepareValue = (value) => {
    if (!unsent) return prepareValue(value)
    unsent = false
    throw new Error('planted: a value that cannot be sent')
  }

  const query = pg.Client.prototype.query
  const refusing = function (this: pg.Client, ...given: unknown[]) {
    const [group] = given
    if (isGroup(group)) {
      for (const statement of group.statements) {
        if (isNext('refused'))
          Object.assign(statement, { text: REFUSED, name: undefined, values: [] })
      }
    }
    return Reflect.apply(query, this, given)
  }
  pg.Client.prototype.query = refusing as typeof query

  const ring = Object.getPrototypeOf(keys) as Keyring
  const { seal } = ring
  ring.seal = function (this: Keyring, ...of) {
    if (isNext('seal')) throw new Error('planted: nothing can be sealed')
    return seal.apply(this, of)
  }

  const { stringify } = JSON
  const failing = (...of: Parameters<typeof stringify>) => {
    if (planted && isOfProgram() && isNext('text')) {
      throw new Error('planted: no text can be made')
    }
    return stringify(...of)
  }
  JSON.stringify = failing as typeof stringify

  return {
    async during(at, work) {
      const mine: Planted = { at, seen: 0, kind: undefined }
      planted = mine
      try {
        const result = await within.run(mine, work)
        return { result, kind: mine.kind }
      } finally {
        planted = undefined
      }
    },
    async spare(work) {
      spared += 1
      try {
        return await work()
      } finally {
        spared -= 1
      }
    },
    isBusy: () => planted !== undefined,
    close() {
      unsubscribe('bezant:statement', onStatement)
      utils.prepareValue = prepareValue
      pg.Client.prototype.query = query
      ring.seal = seal
      JSON.stringify = stringify
    },
  }
}

const isGroup = (given: unknown): given is Group =>
  given instanceof pg.Query && 'statements' in given && Array.isArray(given.statements)

/** The third line of a stack is the caller of what it was taken in. */
function isOfProgram(): boolean {
  const [, , , caller = ''] = (new Error().stack ?? '').split('\n')
  return MAKES_TEXT.test(caller)
}
