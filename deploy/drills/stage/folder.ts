import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transcript } from '../transcript.ts'
import { giveToAccount } from './account.ts'

/** A folder of a drill, which the account of its servers may enter; removed with the stack. */
export function folderOf(stack: AsyncDisposableStack, transcript: Transcript): string {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-drill-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  giveToAccount(folder)
  transcript.replace(folder, '/drill')
  return folder
}

/** The size of all files in a folder. */
export function megabytesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false }))
  const bytes = files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  return `${Math.round(bytes / 1e6)} MB in ${files.length} files`
}
