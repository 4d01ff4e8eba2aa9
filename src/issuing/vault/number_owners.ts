/**
 * The owners of numbers that this process has met. A number belongs to one card or token for ever,
 * so the kept owners are never out of date.
 */

import type { Context } from '#kit/context.ts'
import type { Secret } from '#lib/secret.ts'
import { listByDigests } from './store.ts'

/** The owner of a number: a card, or a token that acts on the card. */
export type NumberOwner = { card_id: string; token_id?: string }

/** Some 200 bytes each. */
const KEPT_MAX = 100_000

export class NumberOwners {
  readonly #kept = new Map<string, NumberOwner>()

  /**
   * The owners of these numbers among the tenant's cards and tokens, in the order of the numbers;
   * undefined for an unknown number. One statement, or none if all were met before.
   */
  async find(ctx: Context, pans: readonly Secret[]): Promise<(NumberOwner | undefined)[]> {
    const wanted = pans.map((pan) => {
      const digest = numberDigest(ctx, pan)
      const name = nameOf(digest)
      return { digest, name, owner: this.#kept.get(name) }
    })
    const absent = wanted.flatMap(({ digest, owner }) => (owner ? [] : [digest]))
    const rows = absent.length === 0 ? [] : await listByDigests(ctx, absent)
    const read = rows.map(({ digest, card_id, token_of }): [string, NumberOwner] => [
      nameOf(digest),
      token_of === null ? { card_id } : { card_id: token_of, token_id: card_id },
    ])
    if (this.#kept.size + read.length > KEPT_MAX) this.#kept.clear()
    for (const [name, owner] of read) this.#kept.set(name, owner)
    const found = new Map(read)
    return wanted.map(({ name, owner }) => owner ?? found.get(name))
  }
}

/**
 * The digest by which a number is looked up. It is keyed with the tenant, so that no two tenants
 * share one.
 */
export const numberDigest = ({ keys, tenant_id }: Context, pan: Secret): Buffer =>
  keys.digest('lookup', `${tenant_id}:${pan.reveal()}`)

const nameOf = (digest: Buffer): string => digest.toString('latin1')
