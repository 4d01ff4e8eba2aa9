/** The licences of all packages of a release, as one text. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { refOf, type Shipped } from './shipped.ts'
import { ROOT, readManifest, readText } from './tree.ts'

const FILES = /^(?:licen[cs]e|copying|notice)/i
const RULE = '-'.repeat(80)
/** It is the same text on each machine, whatever npm installed there. */
const OF_PLATFORM = 'Built for one platform: the package has the text of its licence.'
const NO_FILE = 'The package has no file with the text of its licence.'

export function licencesText(packages: readonly Shipped[]): string {
  const { version, license } = readManifest()
  const head = `Licences of what Bezant ${version} ships

Bezant itself is licensed under ${license} (LICENSE). Below are the packages that
\`npm ci --omit=dev\` installs for it, and those whose code, styles or fonts are within the files
of the console.
`
  return [head, ...packages.map(sectionOf)].join(`\n${RULE}\n`)
}

function sectionOf(one: Shipped): string {
  const place = one.console ? ', within the console' : ''
  const texts = one.folder === undefined ? [] : textsIn(one.folder)
  const inConsole = one.console?.text
  if (texts.length === 0 && inConsole !== undefined) texts.push(inConsole)
  const instead = one.folder === undefined && !one.console ? OF_PLATFORM : NO_FILE
  const body = texts.length > 0 ? texts.join('\n\n') : instead
  return `${refOf(one)}: ${one.license || 'no licence named'}${place}\n\n${body}\n`
}

/** Throws if the package is not installed, since its licence would be left out. */
function textsIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) throw new Error(`${folder} is not there: run npm ci`)
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && FILES.test(entry.name))
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readText(join(folder, name)).replaceAll('\r\n', '\n').trim())
}
