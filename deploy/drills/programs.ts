/** Programs of the system that a drill runs. */

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Launched, launch, type Options } from '#lib/process/launch.ts'
import { DrillFault } from './fault.ts'

/** Folders of administrators' programs; the PATH of others often lacks them. */
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin']
const LONGEST_OUTPUT = 64 * 1024 * 1024

/** The path of a program; a fault that names Debian's package where it is missing. */
export function locate(program: string, debian_package: string): string {
  const path = process.env['PATH'] ?? ''
  const found = [...path.split(delimiter), ...SBIN]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new DrillFault(`${program} is missing. Debian has it: apt-get install ${debian_package}`)
}

/** Runs a program to its end; its output, of stderr too if it fails. */
export function run(
  file: string,
  args: readonly string[],
  options: Options = {},
): { code: number; output: string } {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const limits = { maxBuffer: LONGEST_OUTPUT, stdio: [...stdio] }
    const output = execFileSync(file, args, { ...options, ...limits, encoding: 'utf8' })
    return { code: 0, output }
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && 'stdout' in error && 'stderr' in error)) {
      throw error
    }
    const { status, stdout, stderr } = error
    return { code: typeof status === 'number' ? status : 1, output: `${stdout}${stderr}` }
  }
}

export type Running = Launched

/** Starts a program that goes on; a fault where it does not come to what it is waited for. */
export function start(file: string, args: readonly string[], options: Options = {}): Running {
  const launched = launch(file, args, options)
  return {
    ...launched,
    until: (pattern, ms) =>
      launched.until(pattern, ms).catch((error: unknown) => {
        throw new DrillFault(error instanceof Error ? error.message : String(error))
      }),
  }
}
