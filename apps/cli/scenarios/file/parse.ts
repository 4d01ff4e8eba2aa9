/** The text of a scenario file to its steps, or to every fault with its place. Nothing is run. */

import { Ajv } from 'ajv'
import { type MemberFault, schemaFaults } from '../../kit/schema_faults.ts'
import type { Path, Value } from '../../kit/values.ts'
import { type PlacedFault, readYaml, type Source } from '../../kit/yaml.ts'
import type { Operation } from './operations.ts'
import { referenceFaults } from './references.ts'
import { type Scenario, ScenarioHead, type Step, type StepKind, stepSchemas } from './schema.ts'

export type Parsed =
  | { ok: true; scenario: Scenario; placeOf: Source['placeOf'] }
  | { ok: false; faults: PlacedFault[] }

const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false })
const fitsHead = ajv.compile(ScenarioHead)
const fitsStep = Object.fromEntries(
  Object.entries(stepSchemas).map(([kind, schema]) => [kind, ajv.compile(schema)]),
)
const kinds = Object.keys(stepSchemas).filter((kind) => kind !== 'check')

export function parseScenario(text: string, operations: readonly Operation[]): Parsed {
  const read = readYaml(text)
  if (!read.ok) return read
  const { value, placeOf } = read.source
  const faults = faultsOf(value, operations)
  if (faults.length > 0) {
    return {
      ok: false,
      faults: faults.map(({ path, of, message }) => ({ ...placeOf(path, of), message })),
    }
  }
  // Checked by the schemas above.
  const scenario = value as unknown as Scenario
  const steps = scenario.steps.map((step) => ({ ...step, kind: kindOf(step) }) as Step)
  return { ok: true, scenario: { ...scenario, steps }, placeOf }
}

function faultsOf(content: Value, operations: readonly Operation[]): MemberFault[] {
  if (!fitsHead(content)) return schemaFaults(fitsHead.errors, content)
  const scenario = content as unknown as Scenario
  const faults = scenario.steps.flatMap((step, at) => stepFaults(step, ['steps', at]))
  return faults.length > 0 ? faults : referenceFaults(scenario, operations, kindOf)
}

/** The faults of one step, without `kind`. Paths begin with `path`. */
export function stepFaults(step: object, path: Path): MemberFault[] {
  const named = kinds.filter((kind) => Object.hasOwn(step, kind))
  if (named.length > 1) {
    return [{ path, message: `a step has one of ${named.join(' and ')}, not both` }]
  }
  if (named.length === 0 && !Object.hasOwn(step, 'expect')) {
    return [{ path, message: `a step has one of ${kinds.join(', ')}, or expect alone` }]
  }
  const fits = fitsStep[named[0] ?? 'check']
  // A step is of JSON.
  return !fits || fits(step) ? [] : schemaFaults(fits.errors, step as Value, path)
}

/** The member that names the kind of a step. */
const kindOf = (step: object): StepKind =>
  (kinds.find((kind) => Object.hasOwn(step, kind)) ?? 'check') as StepKind
