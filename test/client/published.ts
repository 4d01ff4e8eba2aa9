/** The library as it is published: built, packed by npm, and unpacked where a program finds it. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scratchFolder } from '#test/support/processes/scratch.ts'

const SOURCE = 'packages/client'
/** Outside of node_modules, to which no package may map its imports. */
const LIBRARY = 'library'
const DEPENDENCIES = ['standardwebhooks', '@stablelib', 'fast-sha256']

export type Published = {
  /** A folder with node_modules, in which programs run that import the library. */
  folder: string
  /** The unpacked package. */
  library: string
  tarball: string
  /** Paths within the package. */
  files: string[]
  close: () => void
}

export function publish(): Published {
  const folder = scratchFolder('bezant-client-')
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    copyFileSync(join(SOURCE, name), join(packed, name))
  }
  run(process.execPath, [`${SOURCE}/build.ts`, join(packed, 'dist')])
  const args = ['pack', '--json', '--ignore-scripts', '--offline', `--pack-destination=${folder}`]
  const output: unknown = JSON.parse(run('npm', args, packed))
  // npm 12 answers an object by name, the versions before it a list.
  const [made] = Object.values(output as Record<string, Packed>)
  const tarball = join(folder, made?.filename.replace(/^@(.+)\//, '$1-') ?? '')
  const library = join(folder, LIBRARY)
  mkdirSync(library)
  run('tar', ['-xzf', tarball, '-C', library, '--strip-components=1'])
  mkdirSync(join(folder, 'node_modules/@bezant'), { recursive: true })
  symlinkSync(library, join(folder, 'node_modules/@bezant/client'))
  for (const name of [...DEPENDENCIES, '@types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  return {
    ...{ folder, library, tarball },
    files: made?.files.map(({ path }) => path).sort() ?? [],
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Packed = { filename: string; files: { path: string }[] }

const run = (command: string, args: readonly string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', ...(cwd !== undefined && { cwd }) })
