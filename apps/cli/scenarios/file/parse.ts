/** The text of a scenario file to its steps, or to every fault with its place. Nothing is run. */

import { Ajv, type ErrorObject } from 'ajv'
import { LineCounter, parseDocument } from 'yaml'
import type { Path } from './compare.ts'
import type { Operation } from './operations.ts'
import { type Place, Places } from './places.ts'
import { referenceFaults } from './references.ts'
import { type Scenario, ScenarioHead, type Step, type StepKind, stepSchemas } from './schema.ts'

/** Bytes of a file, and how often one part of it may be named by aliases. */
const SIZE_MAX = 256 * 1024
const ALIASES_MAX = 50

export type FileFault = Place & { message: string }
export type Fault = { path: Path; message: string }
export type Parsed =
  | { ok: true; scenario: Scenario; places: Places }
  | { ok: false; faults: FileFault[] }

const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, validateSchema: false })
const fitsHead = ajv.compile(ScenarioHead)
const fitsStep = Object.fromEntries(
  Object.entries(stepSchemas).map(([kind, schema]) => [kind, ajv.compile(schema)]),
)
const kinds = Object.keys(stepSchemas).filter((kind) => kind !== 'check')

export function parseScenario(text: string, operations: readonly Operation[]): Parsed {
  if (Buffer.byteLength(text) > SIZE_MAX) {
    const message = `the file has more than ${SIZE_MAX / 1024} KiB`
    return { ok: false, faults: [{ line: 1, column: 1, message }] }
  }
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true })
  const places = new Places(document, lineCounter)
  const { errors, warnings } = document
  const wrong = [...errors, ...warnings].map(({ message, pos }) => ({
    ...places.at(pos[0]),
    message: message.replace(/\s+/g, ' '),
  }))
  if (wrong.length > 0) return { ok: false, faults: wrong }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: ALIASES_MAX })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, faults: [{ ...places.of([]), message }] }
  }
  const faults = faultsOf(content, operations)
  if (faults.length > 0) {
    const placed = faults.map(({ path, message }) => ({ ...places.of(path), message }))
    return { ok: false, faults: placed.sort((one, other) => one.line - other.line) }
  }
  // Checked by the schemas above.
  const scenario = content as Scenario
  const steps = scenario.steps.map((step) => ({ ...step, kind: kindOf(step) }) as Step)
  return { ok: true, scenario: { ...scenario, steps }, places }
}

function faultsOf(content: unknown, operations: readonly Operation[]): Fault[] {
  if (!fitsHead(content)) return inWords(fitsHead.errors, [])
  const { steps } = content as Scenario
  const faults = steps.flatMap((step, at) => stepFaults(step, ['steps', at]))
  return faults.length > 0 ? faults : referenceFaults(content as Scenario, operations, kindOf)
}

/** Of one step, without `kind`. Paths begin with `path`. */
export function stepFaults(step: object, path: Path): Fault[] {
  const named = kinds.filter((kind) => Object.hasOwn(step, kind))
  if (named.length > 1) {
    return [{ path, message: `a step has one of ${named.join(' and ')}, not both` }]
  }
  if (named.length === 0 && !Object.hasOwn(step, 'expect')) {
    return [{ path, message: `a step has one of ${kinds.join(', ')}, or expect alone` }]
  }
  const fits = fitsStep[named[0] ?? 'check']
  return !fits || fits(step) ? [] : inWords(fits.errors, path)
}

/** The member that names the kind of a step. */
const kindOf = (step: object): StepKind =>
  (kinds.find((kind) => Object.hasOwn(step, kind)) ?? 'check') as StepKind

function inWords(errors: readonly ErrorObject[] | null | undefined, base: Path): Fault[] {
  return (errors ?? []).map((error) => {
    const path = [...base, ...error.instancePath.split('/').slice(1).map(unescaped)]
    const name = path.at(-1)
    const subject = typeof name === 'string' ? `${name} ` : 'this '
    const { keyword, params, message, data } = error
    switch (keyword) {
      case 'additionalProperties': {
        const member = params['additionalProperty']
        return { path: [...path, member], message: `${member} is not a member here` }
      }
      case 'required':
        return { path, message: `${params['missingProperty']} is missing` }
      case 'type': {
        const isNumber = params['type'] === 'string' && typeof data === 'number'
        const hint = isNumber ? ': put the number in quotes' : ''
        return { path, message: `${subject}must be ${typesOf(params['type'])}${hint}` }
      }
      case 'enum':
        return { path, message: `${subject}must be one of ${params['allowedValues'].join(', ')}` }
      case 'pattern':
        return { path, message: `${subject}must match ${params['pattern']}` }
      default:
        return { path, message: `${subject}${message}` }
    }
  })
}

const unescaped = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

const typesOf = (type: string | readonly string[]): string =>
  [type]
    .flat()
    .map((name) => WORDS[name] ?? name)
    .join(' or ')
