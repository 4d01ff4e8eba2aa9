/** Bytes for stores of blobs, and what is in their folders. */

import { globSync } from 'node:fs'
import type { Bytes } from '#kit/files/blobs.ts'

export async function* inPieces(bytes: Buffer, length = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

export async function bytesOf(pieces: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pieces) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** All files below a folder. */
export const filesIn = (cwd: string) =>
  globSync('**/*', { cwd, withFileTypes: true }).filter((entry) => entry.isFile())
