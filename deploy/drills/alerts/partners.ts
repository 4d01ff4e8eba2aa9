/** Conditions of those whom the program asks or who send to it: a module, a provider, a network. */

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { startModule } from '../bureau/module.ts'
import { DrillFault } from '../fault.ts'
import { freePort } from '../stage/free_port.ts'
import { openEndpoint } from './outside.ts'
import { Platform, type Process } from './platform.ts'
import type { Stage } from './stage.ts'

/** The scrapes of a new process that come before what is counted: an increase needs one. */
const SCRAPES_MS = 3_000
/** Over so many scrapes something is repeated. */
const TIMES = 4
const NEXT_MS = 1_000
/** The rounds that ask a provider begin within half a minute. */
const PROVIDER_MS = 180_000

/** Stops a process before the drill does. */
export type Stop = () => Promise<void>

async function stop(process: Process): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}

/** A network whose messages need a code gets some without. Returns what ends the process. */
export async function sendWrongCodes(stage: Stage): Promise<Stop> {
  const { transcript, folder, platform, card } = stage
  transcript.step('A card network sends purchases without the code that they need')
  const port = await freePort()
  const zmk_file = join(folder, 'zmk.hex')
  writeFileSync(zmk_file, randomBytes(16).toString('hex'))
  const NETWORKS_FILE = join(folder, 'networks_mac.json')
  const address = { role: 'listen', addresses: [`127.0.0.1:${port}`] }
  const mac = { required: true, algorithm: 'iso9797_3', padding: 2 }
  writeFileSync(
    NETWORKS_FILE,
    JSON.stringify([{ name: 'scheme-mac', ...address, mac, keys: { zmk_file } }]),
  )
  const process = await platform.start('network', { env: { NETWORKS_FILE } })
  stage.also(process.address)
  await pause(SCRAPES_MS)
  const line = await connectAcquirer({ port })
  const codes: string[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const { fields } = await line.send(sale({ pan: card.pan, amount: 100n }))
    codes.push(fields[39] ?? 'none')
    await pause(NEXT_MS)
  }
  transcript.print(`${codes.length} purchases were answered ${[...new Set(codes)].join(' and ')}`)
  await stage.fire(['BezantNetworkMacWrong'])
  line.cut()
  return () => stop(process)
}

/**
 * An installation of its own, since that of the drill has its keys in software. Returns what ends
 * its process.
 */
export async function failPartners(stage: Stage): Promise<Stop> {
  const { transcript, folder, database } = stage
  transcript.step('Another installation has its keys in a security module, and asks Watchman')
  const module = await startModule()
  const watchman = await openEndpoint(() => ({ status: 500 }))
  await database.query('create database other_installation')
  const url = new URL(database.url)
  url.pathname = '/other_installation'
  const platform = new Platform(join(folder, 'other'), {
    DATABASE_URL: url.href,
    HSM_ADDRESS: module.address,
    WATCHMAN_URL: watchman.url,
  })
  const process = await platform.start('api,worker')
  stage.also(process.address)
  await pause(SCRAPES_MS)
  await refuseCommands(stage, platform)
  await failChecks(stage, platform)
  await module[Symbol.asyncDispose]()
  const { status } = await platform.ask('POST', '/v1/cardproducts', PRODUCT)
  transcript.print(`The module is gone. A card product, which needs keys, is answered ${status}`)
  await stage.fire(['BezantHsmUnreachable'])
  return async () => {
    await stop(process)
    await watchman[Symbol.asyncDispose]()
  }
}

const PRODUCT = { name: 'Drill', currency: 'AED', bin: '51234567' }

/** A key that the module has never encrypted is set as the one of a product's key blocks. */
async function refuseCommands({ transcript, fire }: Stage, platform: Platform): Promise<void> {
  const { operator_key, tenant } = platform.keys()
  const product = `/v1/operator/tenants/${tenant.id}/cardproducts/${tenant.card_product_id}`
  const statuses: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const key = `U${randomBytes(16).toString('hex').toUpperCase()}`
    const path = `${product}/keyblockprotectionkey`
    const { status } = await platform.ask('PUT', path, { key }, { apikey: operator_key })
    statuses.push(status)
    await pause(NEXT_MS)
  }
  const kinds = [...new Set(statuses)].join(' and ')
  transcript.print(`${TIMES} transport keys of another module were answered ${kinds}`)
  await fire(['BezantHsmRefuses'])
}

async function failChecks({ transcript, fire }: Stage, platform: Platform): Promise<void> {
  let isOver = false
  const creating = (async () => {
    for (let number = 1; !isOver; number += 1) {
      const business_legal_name = `Company ${number}`
      const body = { user_type: 'BUSINESS', business_legal_name, business_dba_name: 'Drill' }
      const { ok, status } = await platform.ask('POST', '/v1/users', body)
      if (!ok) throw new DrillFault(`a business was answered ${status}`)
      await pause(NEXT_MS)
    }
  })()
  transcript.print('A business is created each second, and Watchman answers 500.')
  try {
    await Promise.race([fire(['BezantProviderFailing'], PROVIDER_MS), creating])
  } finally {
    isOver = true
  }
  await creating
}
