/** Whether arguments fit the schema of a tool, in sentences that name the argument. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { argumentFaults } from '../../kit/schema_faults.ts'
import type { Value } from '../../kit/values.ts'

const FAULTS_MAX = 10

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)
/** Compiled when a tool is called first: most are never called. */
const compiled = new WeakMap<object, ValidateFunction>()

/** The faults of the arguments; empty if there are none. */
export function faultsOf(input: object, given: unknown): string[] {
  const check = compiled.get(input) ?? ajv.compile(input)
  compiled.set(input, check)
  if (check(given)) return []
  // Arguments are JSON.
  return argumentFaults(check.errors, given as Value).slice(0, FAULTS_MAX)
}
