import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

/** Makes DATA_DIR or a folder in it, with its parents; a StartError if it cannot be written. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `the folder ${path} cannot be written (${codeOf(error) ?? lineOf(error)}): ` +
        'let this account write to it, or set DATA_DIR to another folder',
    )
  }
}

/** Flushes a folder: a file that was made, linked or renamed is durable only after this. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
