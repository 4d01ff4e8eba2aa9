/** A request of an API that changes something or reads card data, for its audit record (D-500). */

import { isId } from '#lib/id.ts'

/** More ids and names of members than any request of the documents has. */
const OBJECTS_MAX = 16
const MEMBERS_MAX = 64

/** The caller, never its secret: an API key, a merchant, or the digest of a widget token. */
export type AuditActor = { kind: string; id: string }

type Facts = {
  /** The id of the operation in the OpenAPI document. */
  operation: string
  request_id: string
  address: string
  actor: AuditActor
  tenant_id: string
  /** The instant of the request on the tenant's clock. */
  now: Date
  /** Keyed digest of method, path and body, 32 bytes. */
  digest: Buffer
  /** Names of members of the body that its schema has. */
  members: readonly string[]
  /** Values in which ids are looked for, from the path and the body. */
  named: readonly unknown[]
  /** The HTTP status of its success. */
  status: number
}

/** The contents of an audit record, without its own id and real time. */
export type AuditEntry = Omit<Facts, 'named'> & { object_ids: readonly string[] }

/**
 * The facts of a request that are known when it comes, and those that are learned while it is
 * served: the tenant that the operator acts in, the ids of created objects, and whether it only
 * rehearses.
 */
export class AuditedRequest {
  readonly #facts: Facts
  readonly #object_ids = new Set<string>()
  #answered: readonly unknown[] = []
  #within: Pick<Facts, 'tenant_id' | 'now'> | undefined
  #is_rehearsal = false

  constructor(facts: Facts) {
    this.#facts = facts
    for (const value of facts.named) noteId(this.#object_ids, value)
  }

  /** The action of the operator is about this tenant. */
  within(tenant_id: string, now: Date): void {
    this.#within = { tenant_id, now }
  }

  /** Nothing that it writes stays: there is nothing to record. */
  rehearse(): void {
    this.#is_rehearsal = true
  }

  /** The ids that the answer names. A transaction that runs again answers others. */
  answered(...ids: readonly unknown[]): void {
    this.#answered = ids
  }

  /** The ids of further objects that the request made. */
  made(...ids: readonly unknown[]): void {
    for (const id of ids) noteId(this.#object_ids, id)
  }

  /** The record of the request; undefined if it changes nothing. */
  entry(status = this.#facts.status): AuditEntry | undefined {
    if (this.#is_rehearsal) return undefined
    const { named: _, ...facts } = this.#facts
    const members = facts.members.slice(0, MEMBERS_MAX)
    const object_ids = new Set(this.#object_ids)
    for (const value of this.#answered) noteId(object_ids, value)
    return { ...facts, ...this.#within, members, status, object_ids: [...object_ids] }
  }
}

function noteId(ids: Set<string>, value: unknown): void {
  if (typeof value !== 'string' || !isId(value)) return
  if (ids.size < OBJECTS_MAX) ids.add(value.toLowerCase())
}
