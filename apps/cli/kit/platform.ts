/** Finds the platform that a command calls, and the key for it. */

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Bezant } from '#client/index.ts'
import { Fault, UsageFault } from './faults.ts'
import { addressOf, type Profile, profileOf, profilesPath, readProfiles } from './profiles.ts'

export type PlatformOptions = { profile?: string }

/** The folder of this checkout. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** A program of the tree. Throws a Fault if the command line is installed without it. */
export function programAt(path: string): string {
  if (isHere(path)) return join(ROOT, path)
  throw new Fault(
    'this runs the program itself, which is not part of this package: use the bezant of a ' +
      'checkout, or of the archive of a release',
  )
}

/** Whether a file of the tree is there: the packed command line and the image have a part of it. */
export const isHere = (path: string): boolean => existsSync(join(ROOT, path))

/** The file that the program writes for its clients (src/sandbox/seed/file.ts). */
export type Sandbox = {
  base_url: string
  /** The address at which its ISO 8583 port listens. */
  network: { host: string; port: number; dialect: string; header: string }
  operator_key: string
  tenant: { id: string; api_key: string; currency: string }
  merchant: { public_key: string; private_key: string }
}

export function dataFolder({ DATA_DIR }: NodeJS.ProcessEnv = process.env): string {
  return DATA_DIR ? resolve(DATA_DIR) : join(ROOT, 'data')
}

/** The sandbox of DATA_DIR; undefined if there is none. */
export function readSandbox(env: NodeJS.ProcessEnv = process.env): Sandbox | undefined {
  try {
    const sandbox: Sandbox = JSON.parse(readFileSync(join(dataFolder(env), 'sandbox.json'), 'utf8'))
    return typeof sandbox.base_url === 'string' && sandbox.tenant.api_key ? sandbox : undefined
  } catch {
    return undefined
  }
}

/**
 * The first of these: --profile, BEZANT_URL with BEZANT_KEY, the profile in use, the running
 * sandbox.
 */
export function platformOf(
  { profile }: PlatformOptions,
  env: NodeJS.ProcessEnv = process.env,
): Profile {
  const found =
    profile === undefined
      ? fromSurroundings(env)
      : profileOf(readProfiles(profilesPath(env)), profile)
  // A file of profiles may have been written by hand.
  if (found) return { ...found, url: addressOf(found.url) }
  throw new Fault(
    'no platform is known: start a sandbox (bezant start), add a profile (bezant profile add), ' +
      'or set BEZANT_URL and BEZANT_KEY',
  )
}

/** The same where only an API key will do. */
export function apiPlatformOf(options: PlatformOptions, env?: NodeJS.ProcessEnv): Profile {
  const found = platformOf(options, env)
  assertApiKey(found)
  return found
}

function assertApiKey({ public_key, session }: Profile): void {
  if (public_key === undefined && !session) return
  const whose = session ? 'a session of the portal' : 'the keys of a merchant'
  throw new UsageFault(`the profile has ${whose}: this needs the API key of a tenant (--profile)`)
}

function fromSurroundings(env: NodeJS.ProcessEnv): Profile | undefined {
  const { BEZANT_URL: url, BEZANT_KEY: key, BEZANT_PUBLIC_KEY: public_key } = env
  if (url && key) {
    const merchant = public_key ? { public_key: keyOf(public_key) } : {}
    return { url: addressOf(url), key: keyOf(key), ...merchant }
  }
  if (url || key) throw new UsageFault('set both BEZANT_URL and BEZANT_KEY, or neither')
  const profiles = readProfiles(profilesPath(env))
  if (profiles.current !== undefined) return profileOf(profiles, profiles.current)
  const sandbox = readSandbox(env)
  if (!sandbox) assertReadable(env)
  return sandbox && { url: addressOf(sandbox.base_url), key: sandbox.tenant.api_key }
}

/**
 * Throws if the file is there but cannot be read: another account has started the sandbox.
 * Otherwise it would seem that none runs.
 */
function assertReadable(env: NodeJS.ProcessEnv): void {
  const path = join(dataFolder(env), 'sandbox.json')
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) return
    throw new Fault(
      `${path} may not be read by this account: use the one that started the sandbox, or set ` +
        'BEZANT_URL and BEZANT_KEY',
    )
  }
}

/** The key is a value of a header. */
export function keyOf(text: string): string {
  const key = text.trim()
  if (!/^[\x21-\x7e]{8,512}$/.test(key)) throw new UsageFault('that is no API key')
  return key
}

/** A client by the API key of a profile. */
export function clientOf(profile: Profile): Bezant {
  assertApiKey(profile)
  const { url, key } = profile
  return new Bezant({
    baseUrl: url,
    apiKey: key,
    headers: { 'user-agent': 'bezant-cli' },
  })
}
