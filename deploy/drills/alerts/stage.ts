/** The parts that every condition of the drill uses. */

import type { Acquirer } from '#test/support/network/acquirer.ts'
import type { Transcript } from '../transcript.ts'
import type { DrillDatabase } from './database.ts'
import type { Card, Platform, Process } from './platform.ts'
import type { Prometheus } from './prometheus.ts'

export type Stage = {
  transcript: Transcript
  folder: string
  database: DrillDatabase
  prometheus: Prometheus
  platform: Platform
  /** Its roles are api and network; it accepts five connections of the card network. */
  api: Process
  network: Acquirer
  card: Card
  /** Scrapes these too, from now on. */
  also: (...addresses: string[]) => void
  /** Resolves once these have fired, and prints a line of each. */
  fire: (names: readonly string[], patience_ms?: number) => Promise<void>
}
