/** Which platform a command talks to, and with which key. */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Bezant } from '#client/index.ts'
import { Fault, UsageFault } from './faults.ts'
import { addressOf, type Profile, profileOf, readProfiles } from './profiles.ts'

export type PlatformOptions = { profile?: string }

/** The folder of this checkout. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** What the program writes for its clients (src/sandbox/seed/file.ts). */
export type Sandbox = {
  base_url: string
  operator_key: string
  tenant: { id: string; api_key: string; currency: string }
  merchant: { public_key: string; private_key: string }
}

export function dataFolder(): string {
  return process.env['DATA_DIR'] ? resolve(process.env['DATA_DIR']) : join(ROOT, 'data')
}

/** The sandbox of DATA_DIR; undefined where there is none. */
export function readSandbox(): Sandbox | undefined {
  try {
    const sandbox: Sandbox = JSON.parse(readFileSync(join(dataFolder(), 'sandbox.json'), 'utf8'))
    return typeof sandbox.base_url === 'string' && sandbox.tenant.api_key ? sandbox : undefined
  } catch {
    return undefined
  }
}

/** In this order: --profile, BEZANT_URL with BEZANT_KEY, the profile in use, the running sandbox. */
export function platformOf({ profile }: PlatformOptions): Profile {
  const found =
    profile === undefined ? fromSurroundings(process.env) : profileOf(readProfiles(), profile)
  if (found) return found
  throw new Fault(
    'no platform is known: start a sandbox (bezant start), add a profile (bezant profile add), ' +
      'or set BEZANT_URL and BEZANT_KEY',
  )
}

function fromSurroundings(env: NodeJS.ProcessEnv): Profile | undefined {
  const { BEZANT_URL: url, BEZANT_KEY: key } = env
  if (url && key) return { url: addressOf(url), key: keyOf(key) }
  if (url || key) throw new UsageFault('set both BEZANT_URL and BEZANT_KEY, or neither')
  const profiles = readProfiles()
  if (profiles.current !== undefined) return profileOf(profiles, profiles.current)
  const sandbox = readSandbox()
  return sandbox && { url: addressOf(sandbox.base_url), key: sandbox.tenant.api_key }
}

/** The key is a value of a header. */
export function keyOf(text: string): string {
  const key = text.trim()
  if (!/^[\x21-\x7e]{8,512}$/.test(key)) throw new UsageFault('that is no API key')
  return key
}

/** A client whose key follows no redirect. `onAnswer` sees each answer. */
export function clientOf(
  { url, key }: Profile,
  onAnswer: (response: Response) => void = () => {},
): Bezant {
  return new Bezant({
    baseUrl: url,
    apiKey: key,
    headers: { 'user-agent': 'bezant-cli' },
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, redirect: 'manual' })
      onAnswer(response)
      return response
    },
  })
}
