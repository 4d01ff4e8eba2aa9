/** Commands `export`, `plan` and `apply`; `Terminal` reads and writes everything outside. */

import { readFileSync } from 'node:fs'
import type { OpenApi, Schema } from '#lib/openapi.ts'
import { Api } from '../kit/api.ts'
import { Fault, FileFault, UsageFault } from '../kit/faults.ts'
import { writeText } from '../kit/files.ts'
import { jsonOf, visible } from '../kit/text.ts'
import { readYaml } from '../kit/yaml.ts'
import { applyPlan, sentValues } from './apply/apply.ts'
import { readProgramme } from './file/check.ts'
import { disabledNote, leftOut, programmeText } from './file/write.ts'
import type { Programme, Section } from './kinds.ts'
import { type Plan, planOf } from './plan/plan.ts'
import { actionTitle, planJson, planLines } from './plan/present.ts'
import { CardCounter, productsOf, type Reach } from './plan/reach.ts'
import { backtestPlan, type Tried, triedLines } from './plan/trial.ts'
import { Secrets } from './platform/secrets.ts'
import {
  ambiguities,
  isDisabledByPlatform,
  programmeOf,
  readState,
  type State,
} from './platform/state.ts'
import { SCHEMA_PATH, settingsOfOthers } from './schema.ts'

export type Terminal = {
  env: NodeJS.ProcessEnv
  print: (text: string) => void
  /** Undefined if nobody can answer. */
  ask: ((question: string) => Promise<string>) | undefined
  wait: (ms: number) => Promise<void>
}

type Export = { command: 'export'; out: string | undefined; json: boolean }
type Change = {
  command: 'plan' | 'apply'
  file: string
  prune: boolean
  days: number | undefined
  json: boolean
  yes: boolean
}
export type Command = { url: string; key: string } & (Export | Change)

type Run = {
  api: Api
  schema: Schema
  secrets: Secrets
  key: string
  print: (text: string) => void
  terminal: Terminal
}

/** How often a request is sent again that the platform would have later, or that was not answered. */
const RETRIES = 5
const TIMEOUT_MS = 30_000

/**
 * The exit code: 0 if nothing differs or all is done, 2 if a plan differs. An error is a Fault,
 * whose lines have no secret.
 */
export async function runProgramme(command: Command, terminal: Terminal): Promise<number> {
  const secrets = new Secrets(terminal.env)
  const { url, key } = command
  secrets.keep(key)
  const { wait } = terminal
  const api = new Api({
    url,
    prefix: '/v1',
    credentials: { apikey: key },
    retries: RETRIES,
    timeout_ms: TIMEOUT_MS,
    wait,
  })
  const print = (text: string) => terminal.print(secrets.mask(text))
  const schema = readJson(SCHEMA_PATH) as Schema
  const run = { api, secrets, key, print, terminal, schema }
  try {
    return command.command === 'export' ? await exportTo(command, run) : await change(command, run)
  } catch (error) {
    if (error instanceof UsageFault || !(error instanceof Fault)) throw error
    const lines = error.lines.map((line) => secrets.mask(line))
    throw error instanceof FileFault ? new FileFault(lines) : new Fault(lines)
  }
}

/** Generated files of this tree, beside the program. */
const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))

async function exportTo({ out, json }: Export, { api, schema, print }: Run): Promise<number> {
  const state = await readState(api)
  throwAmbiguous(ambiguities(state))
  const settings = Object.keys(schema.properties?.['settings']?.properties ?? {})
  const disabled = (state.stored.get('webhooks') ?? [])
    .filter(({ object }) => isDisabledByPlatform(object))
    .map(({ name }) => visible(name))
  const document = readJson('docs/openapi/issuing.json') as OpenApi
  const notes = [
    ...leftOut(settingsOfOthers(document)),
    ...(disabled.length > 0 ? [disabledNote(disabled)] : []),
  ]
  const yaml = programmeText(programmeOf(state, settings), schema, notes)
  const text = json ? `${jsonOf(contentOf(yaml))}\n` : yaml
  if (out === undefined) print(text.trimEnd())
  else writeText(out, text)
  return 0
}

/** The same programme as JSON, which is YAML too: a file of it is read like any other. */
function contentOf(yaml: string): unknown {
  const read = readYaml(yaml)
  if (!read.ok) throw new Error('an export is not what is read')
  return read.source.value
}

async function change(command: Change, run: Run): Promise<number> {
  const { command: name, json, yes } = command
  if (name === 'apply' && json && !yes)
    throw new UsageFault('apply --json asks nothing: give --yes')
  const wanted = readProgramme(command.file, run.schema)
  const planned = await plannedNow(wanted, command, run)
  const { plan } = planned
  const shown = await shownOf(planned, { command, wanted, run })
  if (name === 'plan') {
    run.print(json ? jsonOf(shown.json) : shown.lines.join('\n'))
    return plan.actions.length > 0 ? 2 : 0
  }
  if (!json) run.print(shown.lines.join('\n'))
  const done: string[] = []
  const outcome = (applied: boolean) => {
    if (json) run.print(jsonOf({ ...shown.json, applied, done }))
  }
  if (plan.actions.length === 0) {
    outcome(true)
    return 0
  }
  run.secrets.require(sentValues(plan))
  if (!yes) await confirm(run)
  // If nothing was asked and no backtest ran, it was planned a moment ago.
  const isLate = !yes || command.days !== undefined
  const present = isLate ? await plannedAgain(plan, wanted, command, run) : planned
  try {
    await applyPlan(present.plan, { ...run, state: present.state }, (action) => {
      done.push(visible(actionTitle(action)))
      if (!json) run.print(`done: ${actionTitle(action)}`)
    })
  } catch (error) {
    if (error instanceof Fault) outcome(false)
    throw error
  }
  outcome(true)
  if (json) return 0
  run.print('applied')
  if (plan.actions.some(isNewWebhook)) run.print(SECRET_MADE)
  return 0
}

type Planned = { plan: Plan; state: State }

async function plannedNow(wanted: Programme, command: Change, run: Run): Promise<Planned> {
  const state = await readState(run.api)
  throwAmbiguous(ambiguities(state, (section, name) => isInFile(wanted, section, name)))
  return { state, plan: planOf(wanted, state, run.schema, command) }
}

/** The plan that was shown, by what the platform has after that. Throws a Fault for another one. */
async function plannedAgain(shown: Plan, wanted: Programme, command: Change, run: Run) {
  const present = await plannedNow(wanted, command, run)
  const actionsOf = ({ plan }: Pick<Planned, 'plan'>) =>
    JSON.stringify(planJson(plan, new Map(), []).actions)
  if (actionsOf(present) === actionsOf({ plan: shown })) return present
  throw new Fault([
    'the platform has changed since this was planned: nothing is done',
    'Apply the file again to see what differs by now.',
  ])
}

const isInFile = ({ sections }: Programme, section: Section, name: string): boolean =>
  sections.get(section)?.has(name) ?? false

const isNewWebhook = ({ action, section }: Plan['actions'][number]): boolean =>
  action === 'create' && section === 'webhooks'

const SECRET_MADE =
  'the signing secret of each new webhook is made by the platform: ' +
  'POST /v1/webhooks/{id}:rotateSecret answers one'

function throwAmbiguous(lines: readonly string[]): void {
  if (lines.length > 0) throw new Fault(lines)
}

type Shown = { command: Change; wanted: Programme; run: Run }

/** A plan in words, and the same for programs. */
async function shownOf({ plan, state }: Planned, { command, wanted, run }: Shown) {
  const { api, terminal } = run
  const counter = new CardCounter(api)
  const reaches = new Map<Plan['actions'][number], Reach>()
  for (const action of plan.actions) {
    const products = productsOf(action, state)
    if (products) reaches.set(action, await counter.reachOf(products))
  }
  const { days } = command
  const trying = days ? { api, state, wanted, days, wait: terminal.wait } : undefined
  const tried: Tried[] = trying ? await backtestPlan(plan, trying) : []
  const lines = [
    ...planLines(plan, reaches),
    ...tried.flatMap((one) => ['', ...triedLines(one)]),
    ...(days && tried.length === 0 ? ['', 'no control of an existing card product changes'] : []),
  ]
  return { lines, json: planJson(plan, reaches, tried) }
}

async function confirm({ terminal }: Run): Promise<void> {
  if (!terminal.ask) throw new Fault('there is no terminal to ask on: give --yes; nothing is done')
  const answer = await terminal.ask('Apply this? Only "yes" does it: ')
  if (answer.trim() !== 'yes') throw new Fault('nothing is done')
}
