/** Rights of a process of a drill: no more than one of the unit or of the container. */

import { readFileSync } from 'node:fs'

/**
 * Arguments of `setpriv` before the program: no capability, no way to gain one. Only root may give
 * up the bounds and change the account.
 */
export function withoutRights(uid?: number, gid?: number): string[] {
  const account = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const bounds = uid === undefined ? [] : ['--bounding-set=-all']
  return [...account, '--no-new-privs', '--inh-caps=-all', ...bounds]
}

/** The rights of a process, as the kernel has them. */
export function rightsOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  return status.filter((line) => /^(?:Cap(?:Prm|Eff|Bnd)|NoNewPrivs):/.test(line)).join('\n')
}
