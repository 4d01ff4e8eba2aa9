/** Variables, messages and operations that a step refers to must exist before it. Pure. */

import type { MemberFault } from '../../kit/schema_faults.ts'
import type { Path } from '../../kit/values.ts'
import { findOperation, methodAndPath, type Operation } from './operations.ts'
import type { Scenario, Step, StepKind } from './schema.ts'
import { namesIn } from './variables.ts'

/** Set before the first step, and by a step `cardholder`. */
export const givenVariables = ['tenant_id', 'currency'] as const
export const cardholderVariables = [
  'user_id',
  'card_product_id',
  'card_id',
  'account_id',
  'card_number',
  'expiry_date',
  'cvv2',
  'wrong_cvv2',
] as const

export function referenceFaults(
  scenario: Scenario,
  operations: readonly Operation[],
  kindOf: (step: object) => StepKind,
): MemberFault[] {
  const variables = new Set<string>(givenVariables)
  const messages = new Set<string>()
  return scenario.steps.flatMap((step, at) => {
    const path = ['steps', at]
    const { expect, ...done } = step
    const kind = kindOf(step)
    const faults = [
      ...operationFaults({ ...step, kind } as Step, operations, path),
      ...variableFaults(done, variables, path),
      ...messageFaults({ ...step, kind } as Step, messages, path),
    ]
    // The step itself may compare what it saves.
    for (const name of savedBy({ ...step, kind } as Step)) variables.add(name)
    return [...faults, ...variableFaults(expect, variables, [...path, 'expect'])]
  })
}

function savedBy(step: Step): readonly string[] {
  if (step.kind === 'cardholder') return cardholderVariables
  return step.kind === 'call' ? Object.keys(step.save ?? {}) : []
}

function operationFaults(step: Step, operations: readonly Operation[], path: Path): MemberFault[] {
  if (step.kind !== 'call') return []
  const { call } = step
  const at = [...path, 'call']
  if (call.includes('?')) return [{ path: at, message: 'members of the query belong in query' }]
  const operation = findOperation(operations, call)
  if (!operation) return [{ path: at, message: `no operation is ${call}` }]
  if (methodAndPath(call)) return []
  const missing = [...operation.template.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(step.path ?? {}, name))
  return missing.map((name) => ({ path: at, message: `path lacks ${name} of ${call}` }))
}

function variableFaults(value: unknown, known: ReadonlySet<string>, path: Path): MemberFault[] {
  if (typeof value === 'string') {
    return namesIn(value)
      .filter((name) => !known.has(name))
      .map((name) => ({ path, message: `no step before this one sets the variable ${name}` }))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) =>
    variableFaults(inner, known, [...path, member]),
  )
}

function messageFaults(step: Step, messages: Set<string>, path: Path): MemberFault[] {
  const named: [member: string, name: string | undefined][] = [
    ['of', step.kind === 'send' ? step.of : undefined],
    ['repeat', step.kind === 'repeat' ? step.repeat : undefined],
    ['deliver', step.kind === 'deliver' ? step.deliver : undefined],
  ]
  const faults = named.flatMap(([member, name]) =>
    name === undefined || messages.has(name)
      ? []
      : [{ path: [...path, member], message: `no message before this step is named ${name}` }],
  )
  if (step.kind === 'send' && step.as !== undefined) messages.add(step.as)
  const of = step.expect?.of
  if (of === undefined || messages.has(of)) return faults
  const message = `no message is named ${of}`
  return [...faults, { path: [...path, 'expect', 'of'], message }]
}
