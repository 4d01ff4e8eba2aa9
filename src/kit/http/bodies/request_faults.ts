/**
 * Every fault of a request in one answer (D-125): those of its schemas, numbers that would change
 * silently, and those of the route's rules in the rest of the body.
 */

import type { FastifyRequest } from 'fastify'
import { type Context, transact } from '#kit/context.ts'
import { maskNumbers } from '#kit/log.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import { isCleanText } from '#lib/text.ts'
import { type ShapeFault, shapeFaults } from '../answers/problems.ts'
import type { Input, Route } from '../route.ts'
import { isObject, wellFormed } from './well_formed.ts'

const PARTS = ['params', 'querystring', 'body'] as const
type Part = (typeof PARTS)[number]

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
  const texts = uncleanTexts(request.query)
  if (!request.validationError && numbers.length === 0 && texts.length === 0) return
  const found = new Map(PARTS.map((part) => [part, foundIn(request, part)]))
  const shape = shapeFaults([...found.values()].flat())
  const isNumber = ({ path }: Fault) => numbers.some((number) => number.path === path)
  const rest = texts.filter(({ path }) => !shape.some((fault) => fault.path === path))
  const known = [...numbers, ...shape.filter((fault) => !isNumber(fault)), ...rest]
  const isNamed = (path: string) =>
    known.some((fault) => fault.path === path || isIn(path, fault.path))
  const isBodyAlone =
    !found.get('params')?.length && !found.get('querystring')?.length && !texts.length
  const more = isBodyAlone ? await moreFaults(route, ctx, request, found.get('body')) : []
  const errors = [...known, ...more.filter(({ path }) => !isNamed(path))]
  throw new ApiError('validation_failed', { errors })
}

/** Texts of a query that the database refuses, whatever their schema says of them. */
const uncleanTexts = (query: unknown): Fault[] =>
  Object.entries(Object(query))
    .filter(([, value]) =>
      [value].flat().some((one) => typeof one === 'string' && !isCleanText(one)),
    )
    .map(([path]) => ({ path: maskNumbers(path), message: 'must not hold U+0000' }))

/**
 * The faults that one rehearsal of the rules with the well-formed members finds. A rule that needs
 * a member at fault may fail, and hide others: it is not guessed at (D-1000).
 */
async function moreFaults(
  route: Route,
  ctx: Context,
  request: FastifyRequest,
  found: readonly ShapeFault[] = [],
): Promise<readonly Fault[]> {
  const { params, query, body, bodyFaults } = request
  if (!hasRules(route) || !isObject(body)) return []
  const { left_out, body: rest } = wellFormed(body, found, bodyFaults)
  const faults = await faultsOfRules(route, ctx, { params, query, body: rest })
  // An object may be at fault only because one of its members is left out.
  return faults.filter(
    ({ path, rests_on = [] }) =>
      (path === '' || !left_out.some((out) => isIn(out, path))) &&
      !rests_on.some((one) => left_out.some((out) => isPartOf(out, one))),
  )
}

/** Whether one of them is the other, or lies in it. */
const isPartOf = (one: string, other: string) =>
  one === other || isIn(one, other) || isIn(other, one)

/** Whether rules can be run without an effect, and by a caller who is known. */
const hasRules = (route: Route) =>
  route.permission !== 'open' &&
  (route.rules !== undefined || !(route.keepsOwnAnswer || route.commitsItself))

function foundIn(request: FastifyRequest, part: Part): ShapeFault[] {
  const value = { params: request.params, querystring: request.query, body: request.body }[part]
  const validate = request.getValidationFunction(part)
  // Fastify validates an absent body as null, so that one that may be absent has no fault.
  if (!validate || validate(value ?? null)) return []
  // Ajv leaves what it found on the function; Fastify types it loosely.
  return [...((validate as { errors?: ShapeFault[] | null }).errors ?? [])]
}

const isIn = (path: string, holder: string) => path.startsWith(`${holder}.`)

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
      const run = async () => (route.rules ?? route.run)(tx, input)
      throw new Rehearsed(await run().then(() => [], faultsIn))
    })
  } catch (error) {
    return error instanceof Rehearsed ? error.faults : []
  }
}

/** The codes of a 400 that names members. */
const OF_MEMBERS: ReadonlySet<string> = new Set([
  'validation_failed',
  'cursor_invalid',
  'pin_refused',
])

function faultsIn(error: unknown): readonly Fault[] {
  const isFault = error instanceof ApiError && OF_MEMBERS.has(error.code)
  return isFault ? (error.errors ?? []) : []
}
