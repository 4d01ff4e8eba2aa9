/**
 * DATA_DIR/sandbox.json: addresses and keys of the sandbox, for the demo and for clients. If the
 * folder is used with another database, the keys of the one before stay beside it (D-941).
 */

import { hash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { makeFolder, syncFolder } from '#kit/files/folder.ts'
import { createAjv } from '#kit/http/schema.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

const Text = Type.String({ minLength: 1 })

const SandboxFile = Type.Object({
  base_url: Text,
  network: Type.Object({ host: Text, port: Type.Integer(), dialect: Text, header: Text }),
  operator_key: Text,
  tenant: Type.Object({
    id: Text,
    name: Text,
    api_key: Text,
    currency: Text,
    card_product_id: Text,
  }),
  merchant: Type.Object({ name: Text, public_key: Text, private_key: Text }),
})
export type SandboxFile = Static<typeof SandboxFile>

/** The keys in the file and the objects that they belong to. */
export type SandboxKeys = Omit<SandboxFile, 'base_url' | 'network'>
export type SandboxAddresses = Pick<SandboxFile, 'base_url' | 'network'>

/** Undefined if there is no file, or none that this program wrote. */
export function readSandbox(path: string): SandboxFile | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
  const fits = createAjv(false).compile<SandboxFile>(SandboxFile)
  try {
    const json: unknown = JSON.parse(text)
    return fits(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Keys of other databases that are kept in a folder. */
const OTHERS_MAX = 10
const OTHER = /^sandbox-[0-9a-f]{8}\.json$/

/** Files with keys of other databases, newest first. */
export function otherSandboxes(path: string): string[] {
  const folder = dirname(path)
  try {
    return readdirSync(folder)
      .filter((name) => OTHER.test(name))
      .map((name) => ({ other: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
      .sort((one, two) => two.at - one.at)
      .map(({ other }) => other)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw unusable(folder, error)
  }
}

/**
 * Replaces the file. Returns the path of the one that the keys of another database were moved to,
 * if there were some.
 */
export function writeSandbox(path: string, content: SandboxFile): string | undefined {
  makeFolder(dirname(path))
  const stored = readSandbox(path)
  const isOther = stored !== undefined && stored.operator_key !== content.operator_key
  const kept = isOther ? keepOther(path, stored) : undefined
  writeWhole(path, content)
  return kept
}

function keepOther(path: string, content: SandboxFile): string {
  const name = `sandbox-${hash('sha256', content.operator_key).slice(0, 8)}.json`
  const kept = join(dirname(path), name)
  writeWhole(kept, content)
  const before = otherSandboxes(path).filter((other) => other !== kept)
  for (const old of before.slice(OTHERS_MAX - 1)) rmSync(old, { force: true })
  return kept
}

/** Written whole under another name, then renamed: a reader finds the old file or the new one. */
function writeWhole(path: string, content: SandboxFile): void {
  const draft = `${path}.${process.pid}`
  try {
    const file = openSync(draft, 'w', 0o600)
    try {
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): StartError {
  return new StartError(
    `${path} can be neither read nor written (${codeOf(error) ?? lineOf(error)}): ` +
      'let this account read and write DATA_DIR',
  )
}
