/** The runtimes of the client library: those that packages/client/runtimes brings (D-850). */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'packages/client/runtimes'

export type Runtime = { name: string; path: string; args: readonly string[] }

/** The runtime in a package of the folder, by the beginning of its name. */
const PROGRAMS: readonly [prefix: string, name: string, path: string, args: readonly string[]][] = [
  ['node-', 'node', 'bin/node', []],
  ['@oven/bun-', 'bun', 'bin/bun', []],
  ['@deno/', 'deno', 'deno', ['run', '--allow-all', '--no-check']],
]

/** Set if a missing runtime is a fault, as in the checks of a change. */
export const ALL_REQUIRED = process.env['TEST_ALL_RUNTIMES'] === '1'
export const HOW_TO_INSTALL = `npm ci --ignore-scripts --prefix ${FOLDER}`

/** This Node, and the others that are installed; for those that are not the path is undefined. */
export function runtimes(): { installed: Runtime[]; missing: string[] } {
  const { optionalDependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'))
  const packages = Object.keys(optionalDependencies)
  const others = PROGRAMS.map(([prefix, name, program, args]) => {
    const paths = packages
      .filter((one) => one.startsWith(prefix))
      .map((one) => join(FOLDER, 'node_modules', one, program))
    return { name, args, path: paths.find((path) => existsSync(path)) }
  })
  const own = { name: 'node', args: [], path: process.execPath }
  const installed = [own, ...others].flatMap(({ path, name, args }) =>
    path === undefined ? [] : [{ path, args, name: `${name} ${versionOf(path)}` }],
  )
  return {
    installed,
    missing: others.filter(({ path }) => path === undefined).map(({ name }) => name),
  }
}

const versionOf = (path: string): string =>
  /\d+\.\d+\.\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[0] ?? ''
