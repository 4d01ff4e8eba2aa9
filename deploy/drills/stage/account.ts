/** The account of a drill's servers: PostgreSQL does not run as root. */

import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { childOptions, chooseAccount } from '#embedded_postgres/account.ts'

const account = chooseAccount('/nonexistent')

/** Options of a child that runs as the account. */
export const optionsOfAccount = () => childOptions(account)

export function giveToAccount(path: string): void {
  if (account) chownSync(path, account.uid, account.gid)
}

/** Makes a folder that the account owns. */
export function makeFolderOfAccount(path: string): string {
  mkdirSync(path, { mode: 0o700 })
  giveToAccount(path)
  return path
}

/** Runs a program as the account and returns its output. Throws with its stderr if it fails. */
export function runAsAccount(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const options = optionsOfAccount()
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  return execFileSync(file, args, {
    ...options,
    env: { ...options.env, ...env },
    stdio: [...stdio],
    encoding: 'utf8',
  }).trim()
}
