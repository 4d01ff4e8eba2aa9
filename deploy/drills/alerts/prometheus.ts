/** Prometheus with the rules of deploy/prometheus, quicker than in operation. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from '../fault.ts'
import { locate, run, start } from '../programs.ts'
import { freePort } from '../stage/free_port.ts'

const RULES = 'deploy/prometheus/alerts.yml'
const LOOK_MS = 250
const SETTLED_MS = 5_000
const PATIENCE_MS = 60_000

/** Every `for` of the rules becomes this. */
export const SHORT_FOR = '3s'

export type Rule = { name: string; severity: string; waits: boolean }
type State = 'pending' | 'firing'

export type Prometheus = AsyncDisposable & {
  version: string
  rules: readonly Rule[]
  /** Scrapes these addresses from now on. */
  scrape: (addresses: readonly string[]) => void
  /** Resolves once each of these has fired; a fault where one does not in time. */
  fired: (names: readonly string[], patience_ms?: number) => Promise<void>
  /** Whether it was seen pending before it fired. */
  wasPending: (name: string) => boolean
  /** Resolves once no alert has been active for five seconds. */
  quiet: () => Promise<void>
}

export async function openPrometheus(folder: string): Promise<Prometheus> {
  const program = locate('prometheus', 'prometheus')
  const port = await freePort()
  const rules = writeFiles(folder)
  const server = start(program, [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'series')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  await server.until(/Server is ready to receive web requests/)
  const seen = new Map<string, Set<State>>()
  let active: string[] = []
  const looking = setInterval(() => void look(), LOOK_MS)

  async function look(): Promise<void> {
    const alerts = await activeAlerts(port)
    active = alerts.map(({ name }) => name)
    for (const { name, state } of alerts) {
      seen.set(name, (seen.get(name) ?? new Set()).add(state))
    }
  }

  const hasFired = (name: string) => seen.get(name)?.has('firing') === true
  return {
    version: run(program, ['--version']).output.split(' ')[2] ?? '',
    rules,
    scrape: (addresses) => writeTargets(folder, addresses),
    async fired(names, patience_ms = PATIENCE_MS) {
      const missing = () => names.filter((name) => !hasFired(name))
      const end = performance.now() + patience_ms
      while (missing().length > 0 && performance.now() < end) await pause(LOOK_MS)
      if (missing().length > 0) throw new DrillFault(`did not fire: ${missing().join(', ')}`)
    },
    wasPending: (name) => seen.get(name)?.has('pending') === true,
    async quiet() {
      let since = performance.now()
      const end = since + PATIENCE_MS
      while (performance.now() - since < SETTLED_MS) {
        if (performance.now() > end) throw new DrillFault(`still active: ${active.join(', ')}`)
        await pause(LOOK_MS)
        if (active.length > 0) since = performance.now()
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(looking)
      await server[Symbol.asyncDispose]()
    },
  }
}

/** The rules as they are, but for the times that they wait. */
function writeFiles(folder: string): Rule[] {
  const rules = readFileSync(RULES, 'utf8')
  const short = rules.replace(/^( {8}for: ).*$/gm, `$1${SHORT_FOR}`)
  writeFileSync(join(folder, 'alerts.yml'), short)
  writeTargets(folder, [])
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: bezant
    file_sd_configs: [{ files: [targets.json] }]
`,
  )
  return rules
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => ({
      name: /^\w+/.exec(text)?.[0] ?? '',
      severity: /severity: (\w+)/.exec(text)?.[1] ?? '',
      waits: /^ {8}for: /m.test(text),
    }))
}

/** Prometheus reads the file when it is replaced. */
function writeTargets(folder: string, targets: readonly string[]): void {
  const path = join(folder, 'targets.json')
  writeFileSync(`${path}.new`, JSON.stringify([{ targets }]))
  renameSync(`${path}.new`, path)
}

type Active = { name: string; state: State }

async function activeAlerts(port: number): Promise<Active[]> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined)
  if (!reply?.ok) return []
  const { data } = (await reply.json()) as {
    data: { alerts: { labels: { alertname: string }; state: State }[] }
  }
  return data.alerts.map(({ labels, state }) => ({ name: labels.alertname, state }))
}
