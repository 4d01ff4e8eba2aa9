/** Public functions of the chips slice: counters of chips, and scripts to them (D-447, D-449). */

import { findCard, lockCard } from '#issuing/cards/cards.ts'
import { withinTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Write } from '#kit/db/write.ts'
import { allOf } from '#lib/promises.ts'
import { newChip, scriptsOf, withRequest } from './rules.ts'
import type { Chip, ChipAnswer, ScriptRequest } from './schema.ts'
import { listChips, lockChip, upsertChips } from './store.ts'

/** The chips of these cards and tokens; one of which nothing is stored is missing. */
export const findChips = (ctx: Context, ids: readonly string[]): Promise<Chip[]> =>
  listChips(ctx, ids)

/** Writes what a batch of messages changed; fails if a chip has changed since it was read. */
export const saveChips = (tx: Tx, chips: readonly Chip[]): Write => upsertChips(tx, chips)

/**
 * The operator asks for a script: the answer to the card's next right cryptogram carries it. A
 * decision that is being written fails on the version of the chip and is made again.
 */
export function requestScript(
  ctx: Context | Tx,
  tenant_id: string,
  card_id: string,
  { script }: ScriptRequest,
): Promise<ChipAnswer> {
  return transact(ctx, async (tx) => {
    const within = await withinTenant(tx, tenant_id)
    // Its lock orders the first two requests of one card.
    const { id } = await lockCard(within, card_id)
    const chip = withRequest((await lockChip(within, id)) ?? newChip(id), script)
    await upsertChips(within, [chip]).start()
    return present(chip)
  })
}

export async function findChip(
  ctx: Context | Tx,
  tenant_id: string,
  card_id: string,
): Promise<ChipAnswer> {
  const within = await withinTenant(ctx, tenant_id)
  const [{ id }, [chip = newChip(id)]] = await allOf([
    findCard(within, card_id),
    listChips(within, [card_id]),
  ])
  return present(chip)
}

const present = (chip: Chip): ChipAnswer => ({
  card_id: chip.id,
  ...(chip.atc !== null && { atc: chip.atc }),
  scripts: scriptsOf(chip).map(([script, { status }]) => ({ script, status })),
})

/** The same, and no other request changes it until the transaction ends. */
export async function holdChip(tx: Tx, tenant_id: string, card_id: string): Promise<ChipAnswer> {
  await lockCard(await withinTenant(tx, tenant_id), card_id)
  return findChip(tx, tenant_id, card_id)
}
