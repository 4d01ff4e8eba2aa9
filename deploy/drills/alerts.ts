/** Each alert of deploy/prometheus/alerts.yml, by its condition, in a real Prometheus. */

import { join } from 'node:path'
import { openDatabase } from './alerts/database.ts'
import { spoilPlaces } from './alerts/files.ts'
import {
  awaitSweep,
  blockSweep,
  breakProcess,
  freezeDatabase,
  holdCommits,
  leaveRows,
  standIn,
  takeConnections,
} from './alerts/machine.ts'
import {
  askFailingResponder,
  failWebhooks,
  lockAccounts,
  payWithoutIssuer,
  presentDeclined,
  refundImpossible,
  sendGarbage,
} from './alerts/money.ts'
import { openSilentIssuer } from './alerts/outside.ts'
import { failPartners, sendWrongCodes } from './alerts/partners.ts'
import { buy, connect, Platform } from './alerts/platform.ts'
import { openPrometheus, type Prometheus, SHORT_FOR } from './alerts/prometheus.ts'
import type { Stage } from './alerts/stage.ts'
import { DrillFault } from './fault.ts'
import { folderOf } from './stage/folder.ts'
import type { Transcript } from './transcript.ts'

export async function drill(transcript: Transcript): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = folderOf(opened, transcript)
  const prometheus = opened.use(await openPrometheus(folder))
  explain(transcript, prometheus)
  const database = opened.use(await openDatabase(join(folder, 'database')))
  const issuer = opened.use(await openSilentIssuer())
  const env = { DATABASE_URL: database.url, ISSUER_ADDRESS: issuer.address }
  const platform = new Platform(join(folder, 'data'), env)

  const addresses: string[] = []
  const fired = new Set<string>()
  const also = (...more: string[]) => {
    addresses.push(...more)
    prometheus.scrape(addresses)
  }
  const fire: Stage['fire'] = async (names, patience_ms) => {
    await prometheus.fired(names, patience_ms)
    for (const name of names) {
      fired.add(name)
      transcript.print(lineOf(prometheus, name))
    }
  }

  transcript.step('One process serves the API and the port; nothing else runs')
  const limits = { DATABASE_CONNECTIONS: '8', NETWORK_CONNECTIONS: '5' }
  const api = opened.use(await platform.start('api,network', { env: limits }))
  also(api.address)
  await fire(['BezantNoWorker', 'BezantNoNetworkConnection'])

  transcript.step('A worker runs and the card network connects: no alert is left')
  const worker = opened.use(await platform.start('worker'))
  also(worker.address)
  const network = await connect(api)
  opened.defer(() => network.cut())
  const card = await platform.card()
  transcript.print(`50 purchases: ${JSON.stringify(await buy(network, card, 50))}`)
  await prometheus.quiet()
  transcript.print('No alert is pending or firing for 5 s.')

  const stage = { transcript, folder, database, prometheus, platform, api, network, card }
  await causeAll({ ...stage, also, fire })
  const missing = prometheus.rules.filter(({ name }) => !fired.has(name))
  if (missing.length > 0) {
    throw new DrillFault(`never caused: ${missing.map(({ name }) => name).join(', ')}`)
  }
  transcript.step('All alerts')
  transcript.print(`${fired.size} of ${prometheus.rules.length} rules have fired.`)
}

function explain(transcript: Transcript, { version, rules }: Prometheus): void {
  transcript.explain(
    `Prometheus ${version} evaluates the ${rules.length} rules of deploy/prometheus/alerts.yml ` +
      `every second. Every \`for\` is ${SHORT_FOR}; expressions and thresholds are unchanged. ` +
      '"pending, firing": the rule waited first. A line is printed when the alert has fired.',
  )
}

function lineOf({ rules, wasPending }: Prometheus, name: string): string {
  const rule = rules.find((one) => one.name === name)
  const states = rule?.waits && wasPending(name) ? 'pending, firing' : 'firing'
  return `${name.padEnd(34)} ${(rule?.severity ?? '').padEnd(9)} ${states}`
}

async function causeAll(stage: Stage): Promise<void> {
  const release = await blockSweep(stage)
  await askFailingResponder(stage)
  await presentDeclined(stage)
  await refundImpossible(stage)
  await sendGarbage(stage)
  const stops = [await sendWrongCodes(stage), await spoilPlaces(stage), await failPartners(stage)]
  await lockAccounts(stage)
  await holdCommits(stage)
  await freezeDatabase(stage)
  await takeConnections(stage)
  await payWithoutIssuer(stage)
  await failWebhooks(stage)
  await leaveRows(stage)
  await breakProcess(stage)
  await standIn(stage)
  await awaitSweep(stage)
  for (const stop of stops) await stop()
  await release()
}
