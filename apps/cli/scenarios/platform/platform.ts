/** The program that scenarios are run against: a running one, or one that is started for them. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Launched, launchScript, READY, SERVER } from '#lib/process/launch.ts'
import { Api } from '../../kit/api.ts'
import { Fault } from '../../kit/faults.ts'
import { dataFolder, programAt, readSandbox } from '../../kit/platform.ts'
import { addressOf, isSamePort } from '../../kit/profiles.ts'
import { networkOf, portIn } from '../wire/address.ts'
import type { NetworkAddress } from '../wire/line.ts'
import { callApi } from './calls.ts'

export type Platform = { api: Api; operator_key: string; network: NetworkAddress }
export type StartedPlatform = Platform & { close: () => Promise<void> }

const START_MS = 120_000

type Given = { database_url?: string; signal?: AbortSignal }

/**
 * Starts a sandbox with a database and a folder of its own, or with a given database. Throws a
 * Fault, and leaves nothing behind, where it does not start or `signal` ends the start.
 */
export async function startPlatform(given: Given = {}): Promise<StartedPlatform> {
  programAt(SERVER)
  const folder = mkdtempSync(join(tmpdir(), 'bezant-scenarios-'))
  // The account of the database of root has to enter it: the database would be elsewhere, and stay.
  chmodSync(folder, 0o711)
  const DATA_DIR = join(folder, 'data')
  const env = { DATA_DIR, ...(given.database_url && { DATABASE_URL: given.database_url }) }
  const server = launchScript([SERVER], {
    env: { PORT: '0', NETWORK_PORT: '0', ...env },
  })
  const close = async () => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready(server, given.signal)
    const sandbox = readSandbox({ DATA_DIR })
    if (!sandbox) throw new Fault(`${DATA_DIR} has no sandbox.json`)
    const { base_url, operator_key, network } = sandbox
    return { api: apiOf(base_url), operator_key, network: portIn(network), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function ready(server: Launched, signal: AbortSignal | undefined): Promise<void> {
  const cancelled = Promise.withResolvers<never>()
  const cancel = () => cancelled.reject(new Fault('ended before the program was ready'))
  signal?.addEventListener('abort', cancel)
  const isReady = server.until(READY, START_MS).catch((error: unknown) => {
    throw new Fault(error instanceof Error ? error.message.split('\n') : String(error))
  })
  await Promise.race([isReady, cancelled.promise]).finally(() =>
    signal?.removeEventListener('abort', cancel),
  )
}

type Named = { url: string; key?: string | undefined; network?: string | undefined }

/**
 * A running sandbox. Its key and its network port are those of DATA_DIR/sandbox.json where its
 * address is there, unless they are given; `localhost` is then called as the file names it. Throws
 * a Fault, also for a live platform.
 */
export async function connectPlatform({ url, key, network }: Named): Promise<Platform> {
  const known = readSandbox()
  const own = known && addressOf(known.base_url)
  const file = own !== undefined && (own === url || isSamePort(own, url)) ? known : undefined
  const operator_key = key ?? file?.operator_key
  const address = network === undefined ? file && portIn(file.network) : networkOf(network)
  if (operator_key === undefined || address === undefined) {
    throw new Fault(
      `${join(dataFolder(), 'sandbox.json')} is not of ${url}: set BEZANT_KEY to the operator's ` +
        'key (or name its --profile), and give --network HOST:PORT',
    )
  }
  const api = apiOf((file && own) ?? url)
  const clock = await callApi(api, {
    method: 'GET',
    path: '/v1/simulate/clock',
    credentials: { apikey: operator_key },
  })
  if (clock.status === 404) {
    throw new Fault(`${url} is a live platform: scenarios are run in a sandbox only`)
  }
  if (clock.status === 401) throw new Fault(clock.problem ?? '')
  return { api, operator_key, network: address }
}

/** Nothing is sent again: a request of a scenario may be meant to fail. */
export const apiOf = (url: string): Api => new Api({ url, retries: 0 })
