import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Route } from '#kit/http/route.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Context, Tx } from './context.ts'
import { commonErrors, type ErrorCatalogue, type ErrorEntry } from './errors.ts'
import type { EventKind, EventName, EventsByName } from './event.ts'

/**
 * The reactions of a slice to events of others by their names, in the transaction of their cause.
 */
export type Reactions = {
  readonly [Name in EventName]?: (tx: Tx, event: EventsByName[Name]) => Promise<void>
}

/** The parts that a slice adds to its API. An API is the table of its slices, nothing more. */
export type Slice = {
  name: string
  routes?: readonly Route[]
  errors?: ErrorCatalogue
  sweeps?: readonly Sweep[]
  /** Called once: sweeps that come while the program runs are added by it. */
  grow?: (add: (sweep: Sweep) => void) => void
  /** The waiting work of the slice in the database, for the metrics. */
  backlogs?: readonly Backlog[]
  /** The kinds of events that it emits. */
  events?: readonly EventKind[]
  /** Reactions to events of slices before it, which may not import it. */
  reactions?: Reactions
  /** Pages for people, beside the API: mounted at the root of the server. */
  pages?: (app: App, services: Services) => void
}

export const routesOf = (slices: readonly Slice[]): Route[] =>
  slices.flatMap(({ routes }) => routes ?? [])

export const sweepsOf = (slices: readonly Slice[]): Sweep[] =>
  slices.flatMap(({ sweeps }) => sweeps ?? [])

export const backlogsOf = (slices: readonly Slice[]): Backlog[] =>
  slices.flatMap(({ backlogs }) => backlogs ?? [])

export const eventKindsOf = (slices: readonly Slice[]): EventKind[] =>
  slices.flatMap(({ events }) => events ?? [])

/** Lets the slices react to an event in their order. */
export function reactionsOf(slices: readonly Slice[]): Context['react'] {
  return async (tx, event) => {
    for (const { reactions = {} } of slices) await react(reactions, event.event, tx, event)
  }
}

async function react<Name extends EventName>(
  reactions: Reactions,
  name: Name,
  tx: Tx,
  event: EventsByName[Name],
): Promise<void> {
  await reactions[name]?.(tx, event)
}

/** All errors of an API, the common ones too. A code is in one catalogue: its first slice's. */
export function catalogueOfSlices(slices: readonly Slice[]): ErrorCatalogue {
  const catalogue: Record<string, ErrorEntry> = { ...commonErrors }
  for (const { name, errors = {} } of slices) {
    for (const [code, entry] of Object.entries(errors)) {
      if (catalogue[code]) throw new Error(`${name} redefines ${code}`)
      catalogue[code] = entry
    }
  }
  return catalogue
}
