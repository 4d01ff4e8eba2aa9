/** A folder of this machine in which files are left for the bureau, and answers found. */

import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BureauFault, type Transport } from '#issuing/card_orders/provider.ts'

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
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
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
  await rename(from, to).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
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
