/** Whether arguments fit the schema of a tool, in sentences that name the argument. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from './document.ts'

const FAULTS_MAX = 10

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true })
addFormats.default(ajv)
/** Compiled when a tool is called first: most are never called. */
const compiled = new WeakMap<Schema, ValidateFunction>()

/** What is wrong with each argument; empty where nothing is. */
export function faultsOf(input: Schema, given: unknown): string[] {
  const check = compiled.get(input) ?? ajv.compile(input)
  compiled.set(input, check)
  if (check(given)) return []
  const messages = new Map<string, Set<string>>()
  for (const error of check.errors ?? []) {
    const found = faultOf(error)
    if (!found) continue
    const [path, message] = found
    messages.set(path, (messages.get(path) ?? new Set()).add(message))
  }
  const faults = [...messages].map(([path, all]) => `${path} ${[...all].join(', or ')}`)
  return faults.slice(0, FAULTS_MAX)
}

function faultOf({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject) {
  const path = instancePath.slice(1).replaceAll('/', '.')
  const below = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (keyword === 'required') return [below(params['missingProperty']), 'is missing'] as const
  if (keyword === 'additionalProperties') {
    return [below(params['additionalProperty']), 'is no argument of this tool'] as const
  }
  if (keyword === 'format') return [path, `must be a ${params['format']}`] as const
  // Its alternatives have errors of their own.
  if (keyword === 'anyOf') return undefined
  const allowed = keyword === 'enum' ? `: ${params['allowedValues'].join(', ')}` : ''
  return [path === '' ? 'arguments' : path, `${message}${allowed}`] as const
}
