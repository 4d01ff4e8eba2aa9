/** Runs scenarios side by side, each with a tenant of its own. */

import { readFileSync } from 'node:fs'
import { type Operation, readOperations } from '../file/operations.ts'
import { type FileFault, parseScenario, stepFaults } from '../file/parse.ts'
import type { Place, Places } from '../file/places.ts'
import type { Expectations, Scenario, Step } from '../file/schema.ts'
import { fill } from '../file/variables.ts'
import type { Platform } from '../platform/platform.ts'
import { Tenant } from '../platform/tenant.ts'
import { Line } from '../wire/line.ts'
import { assertHolds, lookBefore } from './expectations.ts'
import { Responder } from './responder.ts'
import type { State } from './state.ts'
import { StepFault } from './step_fault.ts'
import { doStep } from './steps.ts'

/** Scenarios that run at one time. */
const SIDE_BY_SIDE = 8

export type Source = { file: string; text: string }
export type Ready = { file: string; scenario: Scenario; places: Places }
export type Failure = Place & {
  /** Counted from 1; 0 where the tenant could not be made. */
  step: number
  step_name: string
  message: string
}
export type Outcome = {
  file: string
  name: string
  steps: number
  seconds: number
  failure?: Failure
}

/** A file that is no scenario, with everything that is wrong in it. */
export type Refused = { file: string; faults: readonly FileFault[] }

const operations: { read?: readonly Operation[] } = {}

export function knownOperations(): readonly Operation[] {
  operations.read ??= readOperations()
  return operations.read
}

export function readSource(file: string): Source | Refused {
  try {
    return { file, text: readFileSync(file, 'utf8') }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { file, faults: [{ line: 1, column: 1, message: `cannot be read: ${reason}` }] }
  }
}

/** Every file is parsed before any is run. */
export function parseAll(sources: readonly (Source | Refused)[]): (Ready | Refused)[] {
  return sources.map((source) => {
    if ('faults' in source) return source
    const { file, text } = source
    const parsed = parseScenario(text, knownOperations())
    return parsed.ok ? { file, ...parsed } : { file, faults: parsed.faults }
  })
}

/** In the order of the files; `ended` is called as each ends. */
export async function runAll(
  ready: readonly Ready[],
  platform: Platform,
  ended: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < ready.length; at = next++) {
      const scenario = ready[at]
      if (!scenario) return
      const outcome = await runOne(scenario, platform)
      outcomes[at] = outcome
      ended(outcome)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return outcomes
}

async function runOne({ file, scenario, places }: Ready, platform: Platform): Promise<Outcome> {
  const since = performance.now()
  const { name, steps } = scenario
  const failure = await failureOf(scenario, places, platform)
  const seconds = (performance.now() - since) / 1000
  return { file, name, steps: steps.length, seconds, ...(failure && { failure }) }
}

async function failureOf(
  scenario: Scenario,
  places: Places,
  platform: Platform,
): Promise<Failure | undefined> {
  let at = -1
  let state: State | undefined
  try {
    state = await stateOf(scenario, platform)
    for (const step of scenario.steps) {
      at += 1
      await runStep(step, state)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof StepFault)) throw error
    const step = scenario.steps[at]
    const path = step ? ['steps', at, ...error.path] : []
    const step_name = step?.name ?? step?.kind ?? 'the tenant is made'
    return { ...places.of(path), step: at + 1, step_name, message: error.message }
  } finally {
    state?.line.close()
    await state?.responder.close()
  }
}

async function stateOf(scenario: Scenario, platform: Platform): Promise<State> {
  const tenant = await Tenant.open(platform, scenario)
  const { now } = await tenant.made('GET', '/simulate/clock')
  return {
    tenant,
    line: new Line(platform.network),
    responder: new Responder(tenant),
    counter: { stan: 0, now: new Date(now) },
    variables: new Map<string, unknown>([
      ['tenant_id', tenant.id],
      ['currency', tenant.currency],
    ]),
    messages: new Map(),
  }
}

async function runStep(step: Step, state: State): Promise<void> {
  const { expect: expected, ...rest } = step
  const before = await lookBefore(expected, state)
  const filled = fillStep(rest, state)
  const done = await doStep(filled, expected ?? {}, state, knownOperations())
  if (!expected) return
  const expect = fill(expected, state.variables) as Expectations
  await assertHolds(expect, state, done, before)
}

/** A variable may have another type than the member that it is put in. Throws StepFault. */
function fillStep({ kind, ...members }: Omit<Step, 'expect'>, { variables }: State): Step {
  const filled = fill(members, variables) as object
  const [fault] = kind === 'check' ? [] : stepFaults(filled, [])
  if (fault) throw new StepFault(fault.path, fault.message)
  // Checked by the schema of its kind.
  return { ...filled, kind } as Step
}
