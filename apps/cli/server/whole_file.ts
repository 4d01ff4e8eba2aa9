/** Files that commands write: whole under their name, or not at all. */

import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { StartError } from '#kit/start_error.ts'

/** A file that is there may have been handed on: throws a StartError. */
export async function refuseExisting(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} exists`)
}

export async function writeWhole(
  path: string,
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await pipeline(content, createWriteStream(part, { flags: 'wx' }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
