/** Files that a command reads and writes; a fault of the file system is a Fault in words. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { Fault } from './faults.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'is in what is no folder',
  EACCES: 'may not be read',
}

/** The text of a file. `bytes_max` is the most that is read of it. */
export function textOf(path: string, bytes_max: number): string {
  try {
    const { size } = statSync(path)
    if (size > bytes_max) throw new Fault(`${path} has more than ${bytes_max} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof Fault) throw error
    if (error instanceof TypeError) throw new Fault(`${path} is not text in UTF-8`)
    const { code = 'error' } = error as NodeJS.ErrnoException // The error is of the file system.
    throw new Fault(`${path} ${REASONS[code] ?? `cannot be read (${code})`}`)
  }
}

export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // The error is of the file system.
    throw new Fault(`${path} cannot be written (${code})`)
  }
}
