/** Which account PostgreSQL runs as, and whether that account can reach a folder. */

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '#kit/start_error.ts'

/** Null: the account of this process. Otherwise the one that root drops to. */
export type Account = { uid: number; gid: number } | null

/**
 * PostgreSQL does not run as root. An existing cluster runs under its owner; a new one under an
 * account that exists, since initdb looks its own name up.
 */
export function chooseAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it: ' +
      'start as another user, or set DATABASE_URL',
  )
}

/** Whether the account may enter this folder, which must exist, and every folder above it. */
export function canEnter(folder: string, account: Account): boolean {
  if (account === null) return true
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path)
    const pass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & pass) === 0) return false
    if (path === dirname(path)) return true
  }
}

/** The options of a child that runs as the account, without this process's folder and secrets. */
export function childOptions(account: Account) {
  return { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } }
}
