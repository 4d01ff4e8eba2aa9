/**
 * Every fault of a request in one answer (D-125): those of its schemas, numbers that would change
 * silently, and those of the route's rules in the rest of the body.
 */

import type { FastifyRequest } from 'fastify'
import { type Context, transact } from '#kit/context.ts'
import { maskNumbers } from '#kit/log.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import { type ShapeFault, shapeFaults } from '../answers/problems.ts'
import { type Input, isOneTransaction, type Route } from '../route.ts'

const PARTS = ['params', 'querystring', 'body'] as const
type Part = (typeof PARTS)[number]
/** Replaces an id that is missing or malformed; nothing has it. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
/** Replaces an amount; it is valid in every currency. */
const AN_AMOUNT = 1
/** Keywords of faults that leave the other rules undefined: then the rules are not run. */
const DECISIVE = new Set(['enum', 'const', 'pattern'])

declare module 'fastify' {
  interface FastifyRequest {
    /** Faults that were found while the body was read. */
    bodyFaults: readonly Fault[]
  }
}

/** Fails with every fault of the request; returns when its schemas find none. */
export async function rejectFaults(
  route: Route,
  ctx: Context,
  request: FastifyRequest,
): Promise<void> {
  const numbers = request.bodyFaults.map((fault) => ({ ...fault, path: maskNumbers(fault.path) }))
  if (!request.validationError && numbers.length === 0) return
  const found = new Map(PARTS.map((part) => [part, foundIn(request, part)]))
  const shape = shapeFaults([...found.values()].flat())
  const isNumber = ({ path }: Fault) => numbers.some((number) => number.path === path)
  const known = [...numbers, ...shape.filter((fault) => !isNumber(fault))]
  const isBodyAlone = !found.get('params')?.length && !found.get('querystring')?.length
  const more = isBodyAlone ? await moreFaults(route, ctx, request, known, found.get('body')) : []
  const errors = [...known, ...more.filter(({ path }) => !isWithin(path, known))]
  throw new ApiError('validation_failed', { errors })
}

/** The faults of the rest of the body: from the route's `moreFaults`, or from a rehearsal. */
async function moreFaults(
  route: Route,
  ctx: Context,
  request: FastifyRequest,
  known: readonly Fault[],
  found: readonly ShapeFault[] = [],
): Promise<readonly Fault[]> {
  if (route.moreFaults) return route.moreFaults(request.body, known)
  const rest = restOfBody(route, request, found)
  return rest ? faultsOfRules(route, ctx, { ...inputOf(request), body: rest }) : []
}

const inputOf = ({ params, query, body }: FastifyRequest) => ({ params, query, body })

function foundIn(request: FastifyRequest, part: Part): ShapeFault[] {
  const value = { params: request.params, querystring: request.query, body: request.body }[part]
  const validate = request.getValidationFunction(part)
  if (!validate || validate(value)) return []
  // Ajv leaves what it found on the function; Fastify types it loosely.
  return [...((validate as { errors?: ShapeFault[] | null }).errors ?? [])]
}

/** Whether one of the faults is of this member, of one that it is in, or of one within it. */
function isWithin(path: string, faults: readonly Fault[]): boolean {
  return faults.some(
    (fault) =>
      fault.path === path ||
      path.startsWith(`${fault.path}.`) ||
      (path !== '' && fault.path.startsWith(`${path}.`)),
  )
}

/**
 * The body without the members at fault, for the rules; undefined where the rules could not run,
 * or where a fault leaves them undefined.
 */
function restOfBody(
  route: Route,
  request: FastifyRequest,
  found: readonly ShapeFault[],
): object | undefined {
  const { body } = request
  if (!isOneTransaction(route) || !isObject(body)) return undefined
  if (found.some(({ keyword }) => DECISIVE.has(keyword))) return undefined
  const rest = structuredClone(body)
  for (const fault of found) remove(rest, stepsTo(fault))
  for (const { path } of request.bodyFaults) remove(rest, path.split('.'))
  const { properties = {}, required = [] } = (route.body ?? {}) as BodySchema
  for (const name of required) {
    if (rest[name] === undefined) rest[name] = standIn(properties[name])
  }
  return rest
}

/** TypeBox schemas are plain JSON schema objects. */
type MemberSchema = { format?: string; anyOf?: readonly { type?: string }[] }
type BodySchema = { properties?: Record<string, MemberSchema>; required?: readonly string[] }

/** A value for which the rules find a fault of that member alone, or none. */
function standIn({ format, anyOf = [] }: MemberSchema = {}): unknown {
  if (format === 'uuid') return NO_ID
  return anyOf.some(({ type }) => type === 'number') ? AN_AMOUNT : undefined
}

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The member at fault, as steps from the outside in. */
function stepsTo({ instancePath, params }: ShapeFault): string[] {
  const { additionalProperty, missingProperty } = params as {
    additionalProperty?: string
    missingProperty?: string
  }
  const steps = instancePath.split('/').slice(1)
  const decoded = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...decoded, additionalProperty ?? missingProperty ?? []].flat()
}

/**
 * An item at fault removes its whole list, since the indexes of the others would change. Follows
 * own members only: `__proto__.toString` would reach outside the body.
 */
function remove(root: Members, steps: readonly string[]): void {
  let holder = root
  for (const [at, step] of steps.entries()) {
    const member = Object.hasOwn(holder, step) ? holder[step] : undefined
    if (at === steps.length - 1 || !isObject(member)) {
      delete holder[step]
      return
    }
    holder = member
  }
}

class Rehearsed extends Error {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super('the rules were rehearsed and rolled back')
    this.faults = faults
  }
}

/**
 * The faults with which the route would answer 400. It runs in a transaction that is always rolled
 * back; a body without some members may make it fail in other ways, which are ignored.
 */
async function faultsOfRules(
  route: Route,
  ctx: Context,
  input: Input<unknown, unknown, unknown>,
): Promise<readonly Fault[]> {
  try {
    return await transact(ctx, async (tx) => {
      const run = async () => route.run(tx, input)
      throw new Rehearsed(await run().then(() => [], faultsIn))
    })
  } catch (error) {
    return error instanceof Rehearsed ? error.faults : []
  }
}

function faultsIn(error: unknown): readonly Fault[] {
  const isFault = error instanceof ApiError && error.code === 'validation_failed'
  return isFault ? (error.errors ?? []) : []
}
