/**
 * The files of a release, of the commit that is checked out and with equal bytes each time. Nothing
 * is downloaded. The console has to be built before.
 */

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { sha256Hex } from '#lib/digest.ts'
import { readConfig } from '#src/config/config.ts'
import {
  COLLECTION_FILES,
  type CollectionPath,
  collectionText,
} from '#src/program/pages/collection/served.ts'
import { stageCommandLine } from './command_line.ts'
import { licencesText } from './licences.ts'
import { pack, stageClient } from './packing.ts'
import { sbomText } from './sbom.ts'
import { shippedPackages } from './shipped.ts'
import { readManifest, readText, run } from './tree.ts'

/** In the archive, whatever the version is: deploy/bezant.service names it. */
const FOLDER = 'bezant/'
const CONSOLE = 'apps/console/dist'
/** In the order of the collection. */
const DOCUMENTS = ['issuing', 'merchant', 'portal']
export const SUMS = 'SHA256SUMS'
export const LICENCES = 'THIRD_PARTY_LICENSES.txt'
export const SBOM = 'bezant.cdx.json'

export type Artefact = { name: string; bytes: number }

/** Writes the files into a folder, over those of the same names, and answers their names. */
export function makeRelease(folder: string): Artefact[] {
  const scratch = mkdtempSync(join(tmpdir(), 'bezant-release-'))
  try {
    const made = join(scratch, 'made')
    mkdirSync(made)
    makeAll(made, scratch)
    const names = readdirSync(made).sort()
    const sums = names.map((name) => `${sha256Hex(readFileSync(join(made, name)))}  ${name}\n`)
    writeFileSync(join(made, SUMS), sums.join(''))
    mkdirSync(folder, { recursive: true })
    return [...names, SUMS].map((name) => {
      copyFileSync(join(made, name), join(folder, name))
      return { name, bytes: statSync(join(made, name)).size }
    })
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function makeAll(made: string, scratch: string): void {
  const { version } = readManifest()
  const instant = instantOf()
  const packages = shippedPackages()
  const write = (name: string, data: string | Buffer) => writeFileSync(join(made, name), data)
  const licences = licencesText(packages)
  write(LICENCES, licences)
  write(SBOM, sbomText(packages, instant))
  write(`bezant-${version}.tar.gz`, archiveOf(scratch, instant))
  for (const [name, stage] of [
    ['client', stageClient],
    ['cli', stageCommandLine],
  ] as const) {
    stage(join(scratch, name))
    pack(join(scratch, name), made)
  }
  const texts = DOCUMENTS.map((name) => readText(`docs/openapi/${name}.json`))
  for (const [at, name] of DOCUMENTS.entries()) write(`${name}.openapi.json`, texts[at] ?? '')
  for (const [name, text] of collections(texts)) write(name, text)
}

/** The time in SOURCE_DATE_EPOCH (seconds), which builders set, or else that of the commit. */
function instantOf({ SOURCE_DATE_EPOCH }: NodeJS.ProcessEnv = process.env): Date {
  const seconds = SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct']).toString().trim()
  if (!/^\d{1,11}$/.test(seconds)) throw new Error(`SOURCE_DATE_EPOCH is no time: ${seconds}`)
  return new Date(Number(seconds) * 1000)
}

/** The committed files, which git dates by the commit, and behind them those of the console. */
function archiveOf(scratch: string, instant: Date): Buffer {
  const archive = join(scratch, 'bezant.tar')
  const tree = ['archive', '--format=tar', `--prefix=${FOLDER}`, `--output=${archive}`, 'HEAD']
  run('git', ['-c', 'tar.umask=0022', ...tree])
  // Order, dates, owners and modes would be those of this machine.
  const alike = [
    ...['--format=ustar', '--sort=name', `--mtime=${instant.toISOString()}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
  ]
  const moved = `--transform=s,^,${FOLDER},`
  run('tar', ['--append', `--file=${archive}`, ...alike, moved, CONSOLE])
  return gzipSync(readFileSync(archive), { level: constants.Z_BEST_COMPRESSION })
}

/** As /docs/collections of a local start serves them, by the names of their files. */
function collections(documents: readonly string[]): [name: string, text: string][] {
  // Written by tools/generate.ts.
  const parsed = documents.map((text) => JSON.parse(text) as object)
  const { public_url } = readConfig({})
  return (Object.keys(COLLECTION_FILES) as CollectionPath[]).map((path) => [
    COLLECTION_FILES[path].name,
    collectionText(path, parsed, public_url),
  ])
}
