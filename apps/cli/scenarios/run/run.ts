/** Runs scenarios side by side, each with a tenant of its own. */

import { Fault } from '../../kit/faults.ts'
import { textOf } from '../../kit/files.ts'
import { fileFault, type Place, type Source as Yaml } from '../../kit/yaml.ts'
import { type Operation, readOperations } from '../file/operations.ts'
import { parseScenario, stepFaults } from '../file/parse.ts'
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

/** Bytes of a file. */
const BYTES_MAX = 256 * 1024
/** Scenarios that run at one time. */
const SIDE_BY_SIDE = 8

export type Source = { file: string; text: string }
export type Ready = { file: string; scenario: Scenario; placeOf: Yaml['placeOf'] }
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

/** A file that is no scenario, with a line for everything that is wrong in it. */
export type Refused = { file: string; faults: readonly string[] }

const operations: { read?: readonly Operation[] } = {}

function knownOperations(): readonly Operation[] {
  operations.read ??= readOperations()
  return operations.read
}

export function readSource(file: string): Source | Refused {
  try {
    return { file, text: textOf(file, BYTES_MAX) }
  } catch (error) {
    if (error instanceof Fault) return { file, faults: error.lines }
    throw error
  }
}

/** Every file is parsed before any is run. */
export function parseAll(sources: readonly (Source | Refused)[]): (Ready | Refused)[] {
  return sources.map((source) => {
    if ('faults' in source) return source
    const { file, text } = source
    const parsed = parseScenario(text, knownOperations())
    if (parsed.ok) return { file, ...parsed }
    return { file, faults: fileFault(file, parsed.faults).lines }
  })
}

/** Runs scenarios in the order of the files; `ended` is called as each ends. */
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

async function runOne({ file, scenario, placeOf }: Ready, platform: Platform): Promise<Outcome> {
  const since = performance.now()
  const { name, steps } = scenario
  const failure = await failureOf(scenario, placeOf, platform)
  const seconds = (performance.now() - since) / 1000
  return { file, name, steps: steps.length, seconds, ...(failure && { failure }) }
}

async function failureOf(
  scenario: Scenario,
  placeOf: Yaml['placeOf'],
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
    if (!(error instanceof Fault)) throw error
    const step = scenario.steps[at]
    const member = error instanceof StepFault ? error.path : []
    const step_name = step?.name ?? step?.kind ?? 'the tenant is made'
    const message = error.lines.map((line) => line.trim()).join('; ')
    return {
      ...placeOf(step ? ['steps', at, ...member] : [], 'name'),
      step: at + 1,
      step_name,
      message,
    }
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
