import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

/** Makes DATA_DIR or a folder in it, with its parents; a StartError if it cannot be written. */
export function makeFolder(path: string): void {
  try {
    makePath(path)
    // The dot finds a file in place of the folder.
    accessSync(`${path}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `the folder ${path} cannot be made or written (${codeOf(error) ?? lineOf(error)}): ` +
        'let this account write to it, or set DATA_DIR to another folder',
    )
  }
}

/**
 * Makes a folder with its parents, one after another, and returns the highest that it made. Not by
 * `recursive` of Node, which tries for ever if a file system answers ENOENT, as /proc does (D-940).
 */
export function makePath(path: string, mode = 0o777): string | undefined {
  if (existsSync(path)) return undefined
  const made = makePath(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process has made it meanwhile.
    if (codeOf(error) !== 'EEXIST') throw error
    return made
  }
  return made ?? path
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
