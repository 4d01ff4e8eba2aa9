/** The library as it is published: built, packed by npm, and unpacked where a program finds it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scratchFolder } from '#test/support/processes/scratch.ts'
import { pack, stageClient } from '../../tools/release/packing.ts'

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
  stageClient(packed)
  const { tarball, files } = pack(packed, folder)
  const library = join(folder, LIBRARY)
  mkdirSync(library)
  execFileSync('tar', ['-xzf', tarball, '-C', library, '--strip-components=1'])
  mkdirSync(join(folder, 'node_modules/@bezant'), { recursive: true })
  symlinkSync(library, join(folder, 'node_modules/@bezant/client'))
  for (const name of [...DEPENDENCIES, '@types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  }
  return {
    folder,
    library,
    tarball,
    files,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
