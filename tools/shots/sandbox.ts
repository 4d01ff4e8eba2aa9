/** A program of its own, in a folder that is removed afterwards. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchServer } from '#lib/process/launch.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'

export type Sandbox = SandboxFile & AsyncDisposable

/** Starts the program on ports that the system chooses. Throws with its output if it ends. */
export async function openSandbox(): Promise<Sandbox> {
  await using opened = new AsyncDisposableStack()
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-shots-'))
  opened.defer(() => rmSync(data_dir, { recursive: true, force: true }))
  opened.use(await launchServer({ DATA_DIR: data_dir }))
  const file: SandboxFile = JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
  const kept = opened.move()
  return { ...file, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
