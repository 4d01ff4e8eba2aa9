/**
 * Kinds of events. A slice defines its own in `events.ts`: when one is emitted, whose events stay
 * in order, the members of its payload, and its builder. Subscriptions, documents and types follow
 * from these definitions (D-485); nothing is validated while the program runs.
 */

import type { Static, TObject, TProperties } from 'typebox'

export type EventKind = {
  event: string
  /** When it is emitted, in whole sentences. */
  emitted: string
  /** The card, user, account, transaction or order whose events stay in order. */
  object: string
  /**
   * The members beside `event` and `id`. `created` is here only if it is not the time of the event.
   */
  payload: TProperties
  /**
   * The event is also for the subscriptions of the merchant in `merchant_id` of the payload
   * (D-750).
   */
  to_merchant?: true
}

export type PayloadOf<Kind extends EventKind> = Static<TObject<Kind['payload']>>

/** `payload` is the flat object of D-61 without `event` and `id`, which the outbox adds. */
export type EventOf<Kind extends EventKind> = Kind extends EventKind
  ? {
      event: Kind['event']
      /** The card, user, account, transaction or order: events of one object stay in order. */
      object_id: string
      payload: PayloadOf<Kind>
      /** Set if the kind is `to_merchant`. */
      merchant_id?: string
    }
  : never

/**
 * The kinds that are emitted with a payload: a slice adds the list of its own by declaration
 * merging, so that an event of a kind that no slice defines does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add to it.
export interface EmittedKinds {}
/** The same for kinds that are rendered from the history of their object when they are sent. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices add to it.
export interface RenderedKinds {}

type KindsIn<Slices> = Slices[keyof Slices] extends infer Kinds extends readonly EventKind[]
  ? Kinds[number]
  : never

export type Event = EventOf<KindsIn<EmittedKinds>>
export type EventName = Event['event']
/** The events of each name. */
export type EventsByName = { [Name in EventName]: Extract<Event, { event: Name }> }

export type RenderedName = KindsIn<RenderedKinds>['event']

/** A kind with its builder, which accepts the members of the payload and no others. */
export type DefinedKind<Kind extends EventKind> = Kind & {
  about<const Given extends PayloadOf<Kind>>(
    object_id: string,
    payload: Given & Exactly<PayloadOf<Kind>, Given>,
  ): { event: Kind['event']; object_id: string; payload: Given; merchant_id?: string }
}

/** `Given`, where a member that `Shape` does not have, at any depth, accepts no value. */
type Exactly<Shape, Given> = Given extends Whole
  ? Given
  : {
      [Member in keyof Given]: Member extends keyof Shape
        ? Exactly<NonNullable<Shape[Member]>, Given[Member]>
        : never
    }
/** Values that are compared as a whole. */
type Whole = string | number | boolean | bigint | null | undefined | Date | readonly unknown[]

export function defineEvent<const Event extends string, Members extends TProperties>(kind: {
  event: Event
  emitted: string
  object: string
  payload: Members
  to_merchant?: true
}): DefinedKind<{ event: Event; emitted: string; object: string; payload: Members }> {
  const { event, to_merchant } = kind
  return {
    ...kind,
    about: (object_id, payload) => ({
      event,
      object_id,
      payload,
      ...(to_merchant && merchantIn(payload)),
    }),
  }
}

const merchantIn = (payload: object): { merchant_id?: string } =>
  'merchant_id' in payload && typeof payload.merchant_id === 'string'
    ? { merchant_id: payload.merchant_id }
    : {}
