/** `bezant` as a process of its own, with an environment that no profile of this machine is in. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

export type Ran = { code: number; out: string; err: string }
export type Surroundings = { env?: Record<string, string>; input?: string }

export const PROGRAM = resolve('apps/cli/bezant.mjs')
/** Variables that Node and a shell need. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot']

/** A folder for profiles and data, with the command that uses them. */
export function openCommand(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-cli-'))
  const kept = KEPT.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const own = { XDG_CONFIG_HOME: folder, DATA_DIR: folder, ...env }
  const environment: Record<string, string> = { ...Object.fromEntries(kept), ...own }
  const start = (words: readonly string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [PROGRAM, ...words], { env: { ...environment, ...more } })
  return {
    folder,
    environment,
    start,
    async run(words: readonly string[], { env: more = {}, input = '' }: Surroundings = {}) {
      const child = start(words, more)
      child.stdin.end(input)
      const [out, err] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        child.exitCode === null ? once(child, 'exit') : undefined,
      ])
      return { code: child.exitCode ?? -1, out, err } satisfies Ran
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
