/** Packages as npm publishes them. It gives their files one date: equal files give equal bytes. */

import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runNode, runNpm } from './tree.ts'

const CLIENT = 'packages/client'

type Packed = { filename: string; files: { path: string }[] }

/** Packs a folder into another one; answers the file and the paths within the package. */
export function pack(folder: string, destination: string): { tarball: string; files: string[] } {
  const options = ['--json', '--ignore-scripts', `--pack-destination=${destination}`]
  const output: unknown = JSON.parse(runNpm('pack', options, folder))
  // npm 12 answers an object by name, the versions before it a list.
  const [made] = Object.values(output as Record<string, Packed>)
  if (!made) throw new Error(`npm packed nothing of ${folder}`)
  return {
    tarball: join(destination, made.filename.replace(/^@(.+)\//, '$1-')),
    files: made.files.map(({ path }) => path).sort(),
  }
}

/** Writes the files of the package of the client library into a new folder. */
export function stageClient(folder: string): void {
  mkdirSync(folder)
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    copyFileSync(join(ROOT, CLIENT, name), join(folder, name))
  }
  runNode([`${CLIENT}/build.ts`, join(folder, 'dist')])
}
