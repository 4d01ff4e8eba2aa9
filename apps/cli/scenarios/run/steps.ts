/** Does what a step describes; expectations.ts has what must hold after it. */

import type { Path } from '../../kit/values.ts'
import { findOperation, methodAndPath, type Operation } from '../file/operations.ts'
import type { Expectations, Step, StepOf } from '../file/schema.ts'
import { memberAt } from '../file/variables.ts'
import {
  addToSale,
  type Exchange,
  type MessageData,
  makeMessage,
  repeatOf,
} from '../wire/messages.ts'
import type { Done, State } from './state.ts'
import { StepFault } from './step_fault.ts'

/** `step` has its variables filled in and is without `expect`. Throws StepFault. */
export async function doStep(
  step: Step,
  expect: Expectations,
  state: State,
  operations: readonly Operation[],
): Promise<Done> {
  switch (step.kind) {
    case 'cardholder': {
      const made = await state.tenant.makeCardholder(step.cardholder)
      for (const [name, value] of made) state.variables.set(name, value)
      return {}
    }
    case 'call':
      return callApi(step, expect.status, state, operations)
    case 'send':
      return sendMessage(step, state)
    case 'repeat': {
      const exchange = named(state, step.repeat, ['repeat'])
      const answer = await state.line.send(repeatOf(exchange))
      const first = exchange.answer
      if (answer) exchange.answer ??= answer
      return { exchange, answer, first }
    }
    case 'deliver': {
      const exchange = named(state, step.deliver, ['deliver'])
      exchange.answer = state.line.deliver(exchange.message)
      return { exchange, answer: exchange.answer }
    }
    case 'clock': {
      const { now } = await state.tenant.made('PUT', '/simulate/clock', step.clock)
      state.counter.now = new Date(now)
      return {}
    }
    case 'responder':
      await state.responder.set(step.responder)
      return {}
    case 'pay':
      await state.tenant.pay(step.pay, {
        card_number: textOf(state, 'card_number'),
        expiry_date: textOf(state, 'expiry_date'),
        cvv2: textOf(state, 'cvv2'),
      })
      return {}
    case 'check':
      return {}
  }
}

async function callApi(
  step: StepOf<'call'>,
  expected: number | undefined,
  state: State,
  operations: readonly Operation[],
): Promise<Done> {
  const { as = 'tenant', body, save = {} } = step
  const { method, path } = methodAndPath(step.call) ?? addressOf(step, operations)
  const query = new URLSearchParams(
    Object.entries(step.query ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString()
  const answer = await state.tenant.call(as, method, query ? `${path}?${query}` : path, body)
  const { status, problem } = answer
  if (expected === undefined && problem !== undefined) throw new StepFault(['call'], problem)
  if (expected !== undefined && expected !== status) {
    const why = problem === undefined ? '' : ` (${problem})`
    const message = `status: expected ${expected}, was ${status}${why}`
    throw new StepFault(['expect', 'status'], message)
  }
  for (const [name, member] of Object.entries(save)) {
    const value = memberAt(answer.body, member)
    if (value === undefined) {
      throw new StepFault(['save', name], `the answer has no member ${member}`)
    }
    state.variables.set(name, value)
  }
  return { body: answer.body }
}

function addressOf({ call, path = {} }: StepOf<'call'>, operations: readonly Operation[]) {
  const operation = findOperation(operations, call)
  if (!operation) throw new StepFault(['call'], `no operation is ${call}`)
  const filled = operation.template.replaceAll(/\{([^{}]*)\}/g, (_member, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  return { method: operation.method, path: filled }
}

async function sendMessage(step: StepOf<'send'>, state: State): Promise<Done> {
  const original = step.of === undefined ? undefined : named(state, step.of, ['of'])
  const { currency = original?.currency ?? state.tenant.currency } = step
  const card_number = step.card_number ?? textOf(state, 'card_number')
  const exchange = written({ ...step, original, currency, card_number }, state)
  if (step.as !== undefined) state.messages.set(step.as, exchange)
  const answer = await state.line.send(exchange.message, step.line)
  if (answer) exchange.answer = answer
  addToSale(step.send, exchange, original)
  return { exchange, answer }
}

/** Throws StepFault also if a field has no place for a value. */
function written(data: MessageData, { counter }: State): Exchange {
  try {
    return makeMessage(data, counter)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StepFault([], `the message cannot be written: ${error.message}`)
  }
}

function named({ messages }: State, name: string, path: Path): Exchange {
  const exchange = messages.get(name)
  if (!exchange) throw new StepFault(path, `no message before this step is named ${name}`)
  return exchange
}

function textOf({ variables }: State, name: string): string {
  const value = variables.get(name)
  if (typeof value === 'string') return value
  throw new StepFault([], `no step before this one sets the variable ${name}: add a cardholder`)
}
