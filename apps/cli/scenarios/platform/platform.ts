/** The program that scenarios are run against: a running one, or one that is started for them. */

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NetworkAddress } from '../wire/line.ts'
import { Api, problemOf } from './api.ts'

/** No program can be used; the message states why and what to do. */
export class PlatformFault extends Error {}

export type Platform = { api: Api; operator_key: string; network: NetworkAddress }
export type StartedPlatform = Platform & { close: () => Promise<void> }

/** What is used of DATA_DIR/sandbox.json, which the program writes. */
type SandboxFile = {
  base_url: string
  operator_key: string
  network: NetworkAddress
  tenant: { api_key: string }
}

const START_MS = 120_000
const PROGRAM = fileURLToPath(new URL('../../../../src/main.ts', import.meta.url))

/** Starts a sandbox with a database and a folder of its own, or with a given database. */
export async function startPlatform(
  given: { database_url?: string } = {},
): Promise<StartedPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-scenarios-'))
  const DATA_DIR = join(folder, 'data')
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    env: {
      ...{ PATH, PORT: '0', NETWORK_PORT: '0', DATA_DIR },
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: `${NODE_COMPILE_CACHE}-main` }),
      ...(given.database_url && { DATABASE_URL: given.database_url }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
      if (/ is ready after /.test(output)) ready.resolve()
    })
  }
  const fail = (reason: string) => ready.reject(new PlatformFault(`${reason}\n${output}`))
  const late = setTimeout(() => fail('the program was not ready in time:'), START_MS)
  void ended.then(() => fail('the program ended before it was ready:'))
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready.promise
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(late)
  }
  return { ...platformOf(readSandbox(join(DATA_DIR, 'sandbox.json'))), close }
}

type Named = { url: string; key?: string | undefined; network?: string | undefined }

/**
 * A running sandbox. Its keys and its network port are those of DATA_DIR/sandbox.json where its
 * address is there, unless they are given. Throws PlatformFault, also for a live platform.
 */
export async function connectPlatform(named: Named, data_dir: string): Promise<Platform> {
  const known = readTenant(data_dir)
  const file = known && originOf(known.base_url) === originOf(named.url) ? known : undefined
  const operator_key = named.key ?? file?.operator_key
  const network = named.network === undefined ? file?.network : addressOf(named.network)
  if (operator_key === undefined || network === undefined) {
    throw new PlatformFault(
      `${data_dir} has no sandbox at ${named.url}: give --key with the operator's key and ` +
        '--network HOST:PORT',
    )
  }
  const platform = platformOf({ base_url: named.url, operator_key, network })
  const { api } = platform
  const asked = ['GET', '/v1/simulate/clock'] as const
  const clock = await api.call(...asked, { apikey: operator_key })
  if (clock.status === 401) throw new PlatformFault(problemOf(...asked, clock))
  if (clock.status === 404) {
    throw new PlatformFault(`${named.url} is a live platform: scenarios are run in a sandbox only`)
  }
  return platform
}

function originOf(url: string): string {
  if (!URL.canParse(url)) throw new PlatformFault(`${url} is not an address such as http://…`)
  return new URL(url).origin
}

function addressOf(text: string): NetworkAddress {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || port === undefined) {
    throw new PlatformFault(`--network ${text} is not HOST:PORT`)
  }
  return { host, port: Number(port), dialect: 'ascii', header: 'binary2' }
}

// Written by the program itself.
const readSandbox = (path: string): SandboxFile => JSON.parse(readFileSync(path, 'utf8'))

/** The address and the demo tenant of the sandbox; undefined where there is none. */
export function readTenant(data_dir: string): SandboxFile | undefined {
  const path = join(resolve(data_dir), 'sandbox.json')
  return existsSync(path) ? readSandbox(path) : undefined
}

type Reached = Omit<SandboxFile, 'tenant'>

const platformOf = ({ base_url, operator_key, network }: Reached): Platform => ({
  api: new Api(base_url),
  operator_key,
  network,
})
