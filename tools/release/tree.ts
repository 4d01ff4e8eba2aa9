/** The tree that a release is made of. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')
/** An archive of 30 MB passes through memory. */
const LARGEST = 256 * 1024 * 1024

export type Manifest = {
  name: string
  version: string
  license: string
  engines: Readonly<Record<string, string>>
  imports: Readonly<Record<string, string>>
  dependencies: Readonly<Record<string, string>>
}

export function readManifest(): Manifest {
  // Our own file.
  return JSON.parse(readText('package.json')) as Manifest
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

export const run = (command: string, args: readonly string[], cwd = ROOT): Buffer =>
  execFileSync(command, args, { cwd, maxBuffer: LARGEST })

/** npm asks a registry for nothing, nor for a newer npm. */
export const runNpm = (command: string, options: readonly string[], cwd?: string): string =>
  run('npm', [command, ...options, '--offline', '--update-notifier=false'], cwd).toString()

/** Runs a compiler or another program of this tree. */
export const runNode = (args: readonly string[]): Buffer => run(process.execPath, args)
