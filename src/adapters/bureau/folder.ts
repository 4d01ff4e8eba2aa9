/** Folders of this machine: files are left there for the bureau, and those of others found. */

import { constants } from 'node:fs'
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BureauFault, type Transport } from '#issuing/card_orders/provider.ts'
import type { ClearingFolder, FoundFile } from '#issuing/clearings/provider.ts'

export function openFolder(orders: string, answers: string): Transport {
  return {
    write: (name, content) =>
      failing(`cannot write to ${orders}`, write(join(orders, name), content)),
    size: (name) => failing(`cannot read ${orders}`, sizeOf(join(orders, name))),
    rename: (from, to) =>
      failing(`cannot rename in ${orders}`, moved(orders, join(orders, from), join(orders, to))),
    remove: (name) =>
      failing(`cannot delete in ${orders}`, rm(join(orders, name), { force: true })),
    answers: () => failing(`cannot list ${answers}`, readdir(answers)),
    read: (name, most) => failing(`cannot read ${answers}`, read(join(answers, name), most)),
    putAway: (from, to) =>
      failing(`cannot rename in ${answers}`, putAway(join(answers, from), join(answers, to))),
    async [Symbol.asyncDispose]() {},
  }
}

/** A folder in which files of a card network appear. */
export const openFoundFolder = (folder: string): ClearingFolder => ({
  list: (isWanted) => failing(`cannot list ${folder}`, filesIn(folder, isWanted)),
  read: (name) => chunksOf(folder, name),
  putAway: (from, to) =>
    failing(`cannot rename in ${folder}`, putAway(join(folder, from), join(folder, to))),
  async [Symbol.asyncDispose]() {},
})

/** Files alone: a link would lead elsewhere, and a pipe would be waited for. */
async function filesIn(folder: string, isWanted: (name: string) => boolean): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !isWanted(entry.name)) continue
    const known = await lstat(join(folder, entry.name)).catch(unlessGone)
    if (known)
      found.push({ name: entry.name, size: known.size, changed: Math.floor(known.mtimeMs) })
  }
  return found
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants

async function* chunksOf(folder: string, name: string): AsyncGenerator<Buffer> {
  const path = join(folder, name)
  const opened = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  await using file = await failing(`cannot read ${path}`, opened)
  if (!(await file.stat()).isFile()) throw new BureauFault(`${path} is no file any more`)
  const chunks = file.createReadStream({ autoClose: false })[Symbol.asyncIterator]()
  for (;;) {
    const next = await failing(`cannot read ${path}`, chunks.next())
    if (next.done) return
    yield next.value
  }
}

/** Onto the disk, so that what its row says outlives the machine. */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'w', 0o640)
  // `write` may take a part of the bytes without an error, as on a disk that is almost full.
  for await (const bytes of content) await file.writeFile(bytes)
  await file.sync()
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    return unlessGone(error)
  }
}

function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

async function moved(folder: string, from: string, to: string): Promise<void> {
  await rename(from, to)
  await using directory = await open(folder, 'r')
  await directory.sync()
}

async function read(path: string, most: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  if (size > most) throw new BureauFault(`a file of answers has more than ${most} bytes`)
  return await file.readFile()
}

async function putAway(from: string, to: string): Promise<void> {
  await rename(from, to).catch(unlessGone)
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** A full disk, a missing folder and missing rights are named by the code of the system. */
async function failing<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const code = codeOf(error)
    if (error instanceof BureauFault || typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) {
      throw error
    }
    throw new BureauFault(`${what} (${code}${code === 'ENOSPC' ? ': the disk is full' : ''})`)
  }
}
