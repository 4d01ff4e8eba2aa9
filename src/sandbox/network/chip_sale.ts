/** Chip sales of simulated cards: one at a time for each card, with a counter that rises (D-452). */

import { randomBytes } from 'node:crypto'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { findCard } from '#issuing/cards/cards.ts'
import { findChips } from '#issuing/chips/chips.ts'
import { findCardsByNumber, keySets } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { numericOf } from '#lib/currency.ts'
import { chipData, saleTags, usualVersion } from './chip_card.ts'
import type { SimulatedChip } from './schema.ts'

/** The last sale of each card that has one under way, by tenant and number. */
const turns = new Map<string, Promise<unknown>>()

/** 400 for the data of a chip if none was read. */
export function assertChip(isOfChip: boolean, chip: SimulatedChip | undefined): void {
  if (chip && !isOfChip) throw invalid('chip', 'is sent with entry_mode CHIP or CONTACTLESS')
}

/**
 * Sends a request with the data of its chip, after the sales of the same chip that this process
 * has begun before: the counter of a chip only rises.
 */
export async function sendFromChip<Result>(
  ctx: Context,
  request: AuthorizationRequest,
  chip: SimulatedChip | undefined,
  send: (request: AuthorizationRequest) => Promise<Result>,
): Promise<Result> {
  const number = 'pan' in request.card ? request.card.pan.reveal() : request.card.card_id
  return inTurn(`${ctx.tenant_id}|${number}`, async () => {
    const emv = await chipDataOf(ctx, request, chip ?? {})
    return send(emv === undefined ? request : { ...request, emv })
  })
}

async function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = turns.get(name) ?? Promise.resolve()
  const turn = before.then(work, work)
  const ended = turn.catch(() => {})
  turns.set(name, ended)
  try {
    return await turn
  } finally {
    if (turns.get(name) === ended) turns.delete(name)
  }
}

const COUNTER_MAX = 0xffff

/** DE55 of the sale; none for the number of no card, and none if the product has no chip keys. */
async function chipDataOf(
  ctx: Context,
  { card, amount, currency, processing_code }: AuthorizationRequest,
  { version, atc, cryptogram = 'RIGHT' }: SimulatedChip,
): Promise<string | undefined> {
  if (!('pan' in card) || cryptogram === 'ABSENT') return undefined
  const { pan } = card
  const [owner] = await findCardsByNumber(ctx, [pan])
  if (!owner) return undefined
  const { card_product_id } = await findCard(ctx, owner.card_id)
  const imk_ac = (await keySets(ctx, [card_product_id])).get(card_product_id)?.imk_ac
  if (!imk_ac) return undefined
  const [chip] = await findChips(ctx, [owner.token_id ?? owner.card_id])
  const tags = saleTags({
    version: version ?? usualVersion(pan),
    atc: atc ?? Math.min((chip?.atc ?? 0) + 1, COUNTER_MAX),
    amount,
    currency: numericOf(currency),
    processing_code,
    date: ctx.now.toISOString().slice(2, 10).replaceAll('-', ''),
    unpredictable: randomBytes(4),
  })
  const made = await ctx.custody.cardCryptogram({ imk_ac, pan }, tags)
  const sent = cryptogram === 'WRONG' ? Buffer.from(made.map((byte) => byte ^ 1)) : made
  return chipData(tags.set('9F26', sent))
}
