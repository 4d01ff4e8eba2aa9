/** Conditions of watched places of clearing files. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stage } from './stage.ts'

/** Returns what ends the process that watches them. */
export async function spoilPlaces(stage: Stage): Promise<() => Promise<void>> {
  const { transcript, folder, platform } = stage
  transcript.step('A watched place is not there, and another has files of no card network')
  const place = join(folder, 'clearing')
  mkdirSync(place)
  const networks = [place, join(folder, 'nowhere')].map((path, at) => ({
    name: `scheme-${at + 1}`,
    role: 'listen',
    addresses: [`127.0.0.1:${at + 1}`],
    clearing: { folder: path, look_s: 1 },
  }))
  const NETWORKS_FILE = join(folder, 'networks.json')
  writeFileSync(NETWORKS_FILE, JSON.stringify(networks))
  const watching = await platform.start('worker', { env: { NETWORKS_FILE } })
  stage.also(watching.address)
  await stage.fire(['BezantClearingPlaceFails'])
  writeFileSync(join(place, 'T112.001'), 'something else')
  await stage.fire(['BezantClearingFileRefused'])
  return async () => {
    watching.kill('SIGTERM')
    await watching.ended
  }
}
