/** Profiles: addresses and keys of platforms, in a file that only its owner may read (D-813). */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault, UsageFault } from './faults.ts'
import { note } from './print.ts'

/**
 * `key` is the API key of a tenant or of the operator; with `public_key` it is the private key of a
 * merchant, and with `session` the session of a member of the portal.
 */
export type Profile = { url: string; key: string; public_key?: string; session?: true }
export type Profiles = { current?: string; profiles: Record<string, Profile> }

/** The path in the user's folder for configuration: XDG_CONFIG_HOME, APPDATA, or ~/.config. */
export function profilesPath(env: NodeJS.ProcessEnv = process.env): string {
  const windows = process.platform === 'win32' ? env['APPDATA'] : undefined
  const folder = env['XDG_CONFIG_HOME'] || windows || join(homedir(), '.config')
  return join(folder, 'bezant', 'profiles.json')
}

export function readProfiles(path = profilesPath()): Profiles {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { profiles: {} }
    throw new Fault(`${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  if (isOpen(path)) note(`${path} has keys that others may read: chmod 600 ${path}`)
  const found = parse(text)
  if (!found) throw new Fault(`${path} is no file of profiles: remove it, and add them again`)
  return found
}

/** Whether others than its owner may read or write a file; Windows has no such bits. */
const isOpen = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

function parse(text: string): Profiles | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('profiles' in value)) return undefined
    const { profiles } = value
    if (typeof profiles !== 'object' || profiles === null) return undefined
    const known = Object.entries(profiles).filter(([, one]) => isProfile(one))
    const current = 'current' in value && typeof value.current === 'string' ? value.current : ''
    return { ...(current && { current }), profiles: Object.fromEntries(known) }
  } catch {
    return undefined
  }
}

function isProfile(value: unknown): boolean {
  const { url, key, public_key = '' } = Object(value)
  return [url, key, public_key].every((text) => typeof text === 'string')
}

/** Written whole under another name, then renamed: another command finds the old or the new one. */
export function writeProfiles(content: Profiles): void {
  const path = profilesPath()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  // A file that is there by now is of another, who would get the keys.
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

export function profileOf({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found) return found
  const names = Object.keys(profiles).join(', ') || 'none'
  throw new UsageFault(`there is no profile ${name}; there are: ${names}`)
}

const OWN = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The address of a platform; a key goes over plain http to this machine only. */
export function addressOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageFault('the address is not http:// or https:// and a host')
  }
  if (url.protocol === 'http:' && !OWN.test(url.hostname)) {
    throw new UsageFault('the key would go over plain http: use https://')
  }
  return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '')
}

/** Whether both are one port of this machine, whatever it is called there. */
export function isSamePort(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  const isOwn = OWN.test(a.hostname) && OWN.test(b.hostname)
  return isOwn && a.protocol === b.protocol && a.port === b.port && a.pathname === b.pathname
}
