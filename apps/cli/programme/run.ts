/** The commands of `npm run programme`: what is read and written outside comes as `Terminal`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { applyPlan, sentValues } from './apply/apply.ts'
import { Fault } from './fault.ts'
import { readProgramme } from './file/check.ts'
import { disabledNote, leftOut, programmeText } from './file/write.ts'
import type { Programme, Section } from './kinds.ts'
import { type Command, readCommand, USAGE } from './options.ts'
import { type Plan, planOf } from './plan/plan.ts'
import { planJson, planLines } from './plan/present.ts'
import { CardCounter, productsOf, type Reach } from './plan/reach.ts'
import { backtestPlan, type Tried, triedLines } from './plan/trial.ts'
import { Api } from './platform/api.ts'
import { Secrets } from './platform/secrets.ts'
import {
  ambiguities,
  isDisabledByPlatform,
  programmeOf,
  readState,
  type State,
} from './platform/state.ts'
import { type Document, operatorsSettings, SCHEMA_PATH, type Schema } from './schema.ts'
import { visible } from './words.ts'

export type Terminal = {
  env: NodeJS.ProcessEnv
  print: (text: string) => void
  printError: (text: string) => void
  /** Undefined where nobody can answer. */
  ask: ((question: string) => Promise<string>) | undefined
  wait: (ms: number) => Promise<void>
}

type Run = {
  api: Api
  schema: Schema
  secrets: Secrets
  key: string
  print: (text: string) => void
  terminal: Terminal
}

/** The exit code: 0 where nothing differs or all is done, 2 where a plan differs, 1 for an error. */
export async function runProgramme(args: readonly string[], terminal: Terminal): Promise<number> {
  const secrets = new Secrets(terminal.env)
  secrets.keep(terminal.env['BEZANT_KEY'] ?? '')
  try {
    const command = readCommand(args, terminal.env)
    if (!command) {
      terminal.print(USAGE)
      return 0
    }
    const { url, key } = command
    secrets.keep(key)
    const api = new Api({ url, key, wait: terminal.wait })
    const print = (text: string) => terminal.print(secrets.mask(text))
    const run = { api, secrets, key, print, terminal, schema: readJson(SCHEMA_PATH) as Schema }
    return command.command === 'export'
      ? await exportTo(command.out, run)
      : await change(command, run)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    for (const line of error.lines) terminal.printError(secrets.mask(line))
    return 1
  }
}

/** Generated files of this tree, beside the program. */
const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))

async function exportTo(out: string | undefined, { api, schema, print }: Run): Promise<number> {
  const state = await readState(api)
  throwAmbiguous(ambiguities(state))
  const settings = Object.keys(schema.properties?.['settings']?.properties ?? {})
  const disabled = (state.stored.get('webhooks') ?? [])
    .filter(({ object }) => isDisabledByPlatform(object))
    .map(({ name }) => visible(name))
  const document = readJson('docs/openapi/issuing.json') as Document
  const notes = [
    ...leftOut(operatorsSettings(document)),
    ...(disabled.length > 0 ? [disabledNote(disabled)] : []),
  ]
  const text = programmeText(programmeOf(state, settings), schema, notes)
  if (out === undefined) print(text.trimEnd())
  else writeTo(out, text)
  return 0
}

function writeTo(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // Of the file system.
    throw new Fault(`${path} cannot be written (${code})`)
  }
}

type Change = Extract<Command, { command: 'plan' | 'apply' }>

async function change(command: Change, run: Run): Promise<number> {
  const wanted = readProgramme(command.file, run.schema)
  const state = await readState(run.api)
  throwAmbiguous(ambiguities(state, (section, name) => isInFile(wanted, section, name)))
  const plan = planOf(wanted, state, run.schema, command)
  await show(plan, { command, state, wanted, run })
  if (command.command === 'plan') return plan.actions.length > 0 ? 2 : 0
  if (plan.actions.length === 0) return 0
  run.secrets.require(sentValues(plan))
  if (!command.yes) await confirm(run)
  await applyPlan(plan, { ...run, state }, (title) => run.print(`done: ${title}`))
  run.print('applied')
  if (plan.actions.some(isNewWebhook)) run.print(SECRET_MADE)
  return 0
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

type Shown = { command: Change; state: State; wanted: Programme; run: Run }

async function show(plan: Plan, { command, state, wanted, run }: Shown): Promise<void> {
  const { api, print } = run
  const counter = new CardCounter(api)
  const reaches = new Map<Plan['actions'][number], Reach>()
  for (const action of plan.actions) {
    const products = productsOf(action, state)
    if (products) reaches.set(action, await counter.reachOf(products))
  }
  const { days } = command
  const tried: Tried[] = days ? await backtestPlan(plan, { api, state, wanted, days }) : []
  if (command.json) return print(JSON.stringify(planJson(plan, reaches, tried), null, 2))
  print(planLines(plan, reaches).join('\n'))
  for (const one of tried) print(`\n${triedLines(one).join('\n')}`)
  if (days && tried.length === 0) print('\nno control of an existing card product changes')
}

async function confirm({ terminal }: Run): Promise<void> {
  if (!terminal.ask) throw new Fault('there is no terminal to ask on: give --yes; nothing is done')
  const answer = await terminal.ask('Apply this? Only "yes" does it: ')
  if (answer.trim() !== 'yes') throw new Fault('nothing is done')
}
