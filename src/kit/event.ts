/** `payload` is the flat object of D-61 without `event` and `id`, which the outbox adds. */
export type Event = {
  event: string
  /** The card, user, transaction or order it is about: events of one object stay in order. */
  object_id: string
  payload: Record<string, unknown>
}
