/**
 * Inspects files in threads, so that none of their formats holds the loop which decides payments
 * (D-969). A thread reads through a port what is stored; it has neither keys nor the environment.
 */

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { ByteRange } from '#kit/files/blobs.ts'
import { ApiError } from '#lib/result.ts'
import type { Kind } from '../rules/kinds.ts'
import { readAll, type Stored } from './archive.ts'
import type { Outcome } from './inspect.ts'

/** Each has one file at a time, so that the end of a thread ends no other inspection. */
const THREADS = 4
const IDLE_MS = 60_000
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** Waiting and under way; half of them at most are of one tenant. Beyond, the client comes again. */
const PLACES = 100
/** In which the thread has the turn; a file of the largest size takes some seconds. */
const BUDGET_MS = 60_000

type Options = { module?: URL; name?: string; budget_ms?: number; places?: number }
export type InspectApart = (tenant_id: string, kind: Kind, stored: Stored) => Promise<Outcome>
export type Threads = { inspect: InspectApart; close: () => Promise<void> }

/** A thread begins with the first file and stays; further ones end after a minute without any. */
export function openThreads({
  module = new URL('./thread.ts', import.meta.url),
  name = 'inspectInThread',
  budget_ms = BUDGET_MS,
  places = PLACES,
}: Options = {}): Threads {
  let pool: Piscina | undefined
  const taken = new Map<string, number>()
  let all = 0
  const open = () =>
    new Piscina({
      filename: module.href,
      name,
      env: {},
      resourceLimits: MEMORY,
      idleTimeout: IDLE_MS,
      minThreads: 1,
      maxThreads: THREADS,
      recordTiming: false,
    })
  return {
    async inspect(tenant_id, kind, stored) {
      const own = taken.get(tenant_id) ?? 0
      if (all >= places || own * 2 >= places) throw busy('Too many files')
      taken.set(tenant_id, own + 1)
      all += 1
      try {
        pool ??= open()
        return await inspectIn(pool, { kind, stored, budget_ms })
      } finally {
        all -= 1
        const left = (taken.get(tenant_id) ?? 1) - 1
        if (left > 0) taken.set(tenant_id, left)
        else taken.delete(tenant_id)
      }
    },
    async close() {
      await pool?.destroy()
      pool = undefined
    },
  }
}

const busy = (what: string) =>
  new ApiError('unavailable', {
    detail: `${what} are inspected at the moment; try again.`,
    retry_after_seconds: 5,
  })

type Inspection = { kind: Kind; stored: Stored; budget_ms: number }

/** A thread that takes too long or too much memory is ended, and replaced for the next file. */
async function inspectIn(pool: Piscina, { kind, stored, budget_ms }: Inspection): Promise<Outcome> {
  const { port1, port2 } = new MessageChannel()
  const { signal, failure, stop } = serve(port1, stored, budget_ms)
  try {
    const task = { kind, size: stored.size, port: port2 }
    return await pool.run(task, { transferList: [port2], signal })
  } catch {
    if (failure.cause !== undefined) throw failure.cause
    throw new ApiError('unavailable', {
      detail: 'The file could not be inspected in time; try again.',
      retry_after_seconds: 5,
    })
  } finally {
    stop()
  }
}

/** Answers the thread's readings; its time runs while it has the turn. */
function serve(port: MessagePort, stored: Stored, budget_ms: number) {
  const abort = new AbortController()
  const failure: { cause?: unknown } = {}
  let left = budget_ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    since = performance.now()
    timer = setTimeout(() => abort.abort(), Math.max(0, left))
  }
  port.on('message', async (range: ByteRange) => {
    clearTimeout(timer)
    if (since > 0) left -= performance.now() - since
    try {
      const bytes = await readAll(stored.read(range))
      begin()
      port.postMessage(bytes)
    } catch (error) {
      failure.cause = error ?? new Error('the store failed')
      port.postMessage(null)
    }
  })
  const stop = () => {
    clearTimeout(timer)
    port.close()
  }
  return { signal: abort.signal, failure, stop }
}

/** The threads of this process. */
export const threads = openThreads()
