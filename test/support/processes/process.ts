/** The program as its users have it: a process of its own, with its output and its end. */

import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { clusterOf } from '#embedded_postgres/embedded_postgres.ts'
import { launchScript, READY, SERVER } from '#lib/process/launch.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { recordingOf } from '#test/support/statements/folder.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { running } from './kept_things.ts'
import { scratchFolder } from './scratch.ts'

export type Launched = {
  /** Resolves when it prints that it is ready; rejects when it ends before. */
  ready: Promise<void>
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>
  output: () => string
  /** Its lines on stderr. */
  errors: () => string[]
  kill: (signal: NodeJS.Signals) => void
  /** Closes the ends of its output: printing then fails. */
  stopReading: () => void
}

const RECORDING = recordingOf(process.env)

/**
 * Starts src/main.ts, or another script with its arguments, with `env` alone, on ports that the
 * system chooses unless they are given.
 */
export function launch(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [SERVER],
): Launched {
  const ports = { PORT: '0', NETWORK_PORT: '0' }
  const one = launchScript(args, { cwd: '.', env: { ...RECORDING, ...ports, ...env } })
  running.add(one)
  void one.ended.then(() => running.delete(one))
  return {
    get ready() {
      return one.until(READY, PATIENCE_MS)
    },
    get ended() {
      return within(PATIENCE_MS, one.ended, () => `still running: ${one.text()}`)
    },
    output: one.output,
    errors: () =>
      one
        .errors()
        .split('\n')
        .filter((line) => line !== ''),
    kill: one.kill,
    stopReading: one.stopReading,
  }
}

export type Ended = { code: number | null; output: string; errors: string }

/** A script to its end, with a database. */
export async function runScript(database_url: string, ...args: string[]): Promise<Ended> {
  const { ended, output, errors } = launch({ DATABASE_URL: database_url }, args)
  const code = await ended
  return { code, output: output(), errors: errors().join('\n') }
}

/** A data folder of the test's own, under a path with a space. */
export function dataFolder(): string {
  const folder = scratchFolder('bezant start-')
  const data_dir = join(folder, 'data')
  after(() => {
    // A test may have put a file in its place.
    const made = statSync(data_dir, { throwIfNoEntry: false })
    if (made?.isDirectory()) removeCluster(clusterOf(data_dir))
    rmSync(folder, { recursive: true, force: true })
  })
  return data_dir
}

/**
 * If root runs it, the folder is outside the data folder, whose parent the server's account cannot
 * enter.
 */
function removeCluster(cluster: string): void {
  for (const path of [cluster, `${cluster}.log`]) rmSync(path, { recursive: true, force: true })
}

export function sandboxIn(data_dir: string): SandboxFile {
  // Written by the program under test.
  return JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
}

async function within<Value>(ms: number, value: Promise<Value>, message: () => string) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(message())), ms)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
