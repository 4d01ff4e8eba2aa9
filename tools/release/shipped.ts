/**
 * The packages of a release: those that `npm ci --omit=dev` installs, and those within the files of
 * the console, which need development dependencies only to be built.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readText } from './tree.ts'

/** Vite writes it (apps/console/vite.config.ts). */
const CONSOLE_LICENCES = 'apps/console/dist/licenses.json'

export type Shipped = {
  name: string
  version: string
  license: string
  /** From the root; undefined if npm installs it on some platforms only, or not at all. */
  folder?: string
  /** Present if the files of the console contain parts of the package. */
  console?: { text?: string }
}

type Locked = {
  name?: string
  version?: string
  license?: string
  dev?: true
  os?: unknown
  cpu?: unknown
  libc?: unknown
}
type Manifest = { licenses?: { type: string }[] }
type Bundled = { name: string; version: string; identifier?: string; text?: string }

/** The packages in the order of their names and versions, each once. */
export function shippedPackages(): Shipped[] {
  // Both files are made by tools, and `npm ci` has checked the first.
  const { packages } = JSON.parse(readText('package-lock.json')) as {
    packages: Record<string, Locked>
  }
  const bundled = JSON.parse(readConsoleLicences()) as Bundled[]
  const shipped = new Map<string, Shipped>()
  for (const [path, locked] of Object.entries(packages)) {
    if (path !== '' && !locked.dev) keep(shipped, installed(path, locked))
  }
  for (const { name, version, identifier = '', text } of bundled) {
    const own = { name, version, license: identifier, console: text === undefined ? {} : { text } }
    keep(shipped, own)
  }
  return [...shipped.keys()].sort().flatMap((ref) => shipped.get(ref) ?? [])
}

function readConsoleLicences(): string {
  if (existsSync(join(ROOT, CONSOLE_LICENCES))) return readText(CONSOLE_LICENCES)
  throw new Error(`${CONSOLE_LICENCES} is not there: build the console by npm run prepare`)
}

/** The name that an SBOM of npm gives a component. */
export const refOf = ({ name, version }: Shipped): string => `${name}@${version}`

function keep(shipped: Map<string, Shipped>, one: Shipped): void {
  shipped.set(refOf(one), {
    ...one,
    ...shipped.get(refOf(one)),
    ...(one.console && { console: one.console }),
  })
}

function installed(path: string, locked: Locked): Shipped {
  const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const isOfPlatform = [locked.os, locked.cpu, locked.libc].some((limit) => limit !== undefined)
  const own = { name, version: locked.version ?? '', license: locked.license ?? '' }
  if (isOfPlatform) return own
  return { ...own, license: own.license || licencesOf(path), folder: path }
}

/** The licences of a package by the member of before `license`, which npm does not lock. */
function licencesOf(folder: string): string {
  const { licenses = [] } = JSON.parse(readText(join(folder, 'package.json'))) as Manifest
  return licenses.map(({ type }) => type).join(' OR ')
}
