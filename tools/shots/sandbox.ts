/** A program of its own, in a folder that is removed afterwards. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxFile } from '#sandbox/seed/file.ts'

export type Sandbox = SandboxFile & AsyncDisposable

/** Starts the program on ports that the system chooses. Throws with its output if it ends. */
export async function openSandbox(): Promise<Sandbox> {
  await using opened = new AsyncDisposableStack()
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-shots-'))
  opened.defer(() => rmSync(data_dir, { recursive: true, force: true }))
  const env = { ...process.env, PORT: '0', NETWORK_PORT: '0', DATA_DIR: data_dir }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  opened.defer(() => stopped(child))
  await ready(child)
  const file: SandboxFile = JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
  const kept = opened.move()
  return { ...file, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (bytes: Buffer) => {
      output += bytes
      if (output.includes(' is ready after ')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`the program ended:\n${output}`)))
  })
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
}
