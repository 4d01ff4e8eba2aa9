/** Stored PINs: sealed verification values, and the count of wrong PINs. */

import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Write } from '#kit/db/write.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { Secret } from '#lib/secret.ts'
import { bindingOfMailedPin, bindingOfPin } from './rules/bindings.ts'
import type { KeptPin } from './schema.ts'
import {
  insertMailedPins,
  listCardsBySealedPin,
  listMailedPins,
  listSealedPins,
  lockFreeSealedPins,
  lockSealedPins,
  type SealedPin,
  updatePinFailures,
  upsertPin,
} from './store.ts'

/**
 * Stores the verification value of a card's PIN in place of an earlier one (D-37) and resets the
 * count of wrong PINs. The caller has locked the card.
 */
export async function savePin(tx: Tx, card_id: string, value: Secret): Promise<void> {
  const { keys, tenant_id } = tx
  const bind = bindingOfPin({ tenant_id, card_id })
  const sealed = keys.seal('cards', Buffer.from(value.reveal()), bind)
  await upsertPin(tx, { card_id, sealed })
}

/**
 * Stores PINs that mailers bring, of cards without a PIN: the verification value of each, and its
 * block under the bureau's key in hex. The caller has locked the cards.
 */
export async function saveMailedPins(
  tx: Tx,
  pins: readonly { card_id: string; value: Secret; block: Secret }[],
): Promise<void> {
  const { keys, tenant_id } = tx
  const sealed = pins.map(({ card_id, value, block }) => {
    const row = { tenant_id, card_id }
    return {
      card_id,
      sealed: keys.seal('cards', Buffer.from(value.reveal()), bindingOfPin(row)),
      sealed_block: keys.seal('cards', Buffer.from(block.reveal()), bindingOfMailedPin(row)),
    }
  })
  await insertMailedPins(tx, sealed)
}

/** The blocks of these cards that have a mailer to be printed, by card. */
export async function findMailedPins(
  ctx: Context,
  card_ids: readonly string[],
): Promise<Map<string, Secret>> {
  const { keys, tenant_id } = ctx
  const rows = await listMailedPins(ctx, card_ids)
  return new Map(
    rows.map(({ card_id, sealed }) => {
      const bind = bindingOfMailedPin({ tenant_id, card_id })
      return [card_id, new Secret(keys.open('cards', sealed, bind).toString())]
    }),
  )
}

/**
 * The PINs of these cards, by card, locked until the transaction ends in the order of the cards; a
 * card without a PIN is missing. One statement.
 */
export async function lockPins(tx: Tx, card_ids: readonly string[]): Promise<Map<string, KeptPin>> {
  const rows = await lockSealedPins(tx, card_ids)
  return new Map(rows.map((row) => [row.card_id, opened(tx, row)]))
}

/** As `lockPins`, without a lock. */
export async function findPins(
  ctx: Context,
  card_ids: readonly string[],
): Promise<Map<string, KeptPin>> {
  const rows = await listSealedPins(ctx, card_ids)
  return new Map(rows.map((row) => [row.card_id, opened(ctx, row)]))
}

/**
 * As `lockPins`, but without waiting: `busy` are the cards whose PIN another session has locked.
 */
export async function lockFreePins(
  tx: Tx,
  card_ids: readonly string[],
): Promise<{ pins: Map<string, KeptPin>; busy: Set<string> }> {
  const pins = new Map<string, KeptPin>()
  const busy = new Set<string>()
  for (const row of await lockFreeSealedPins(tx, card_ids)) {
    if (row.sealed === null) busy.add(row.card_id)
    else pins.set(row.card_id, opened(tx, row))
  }
  return { pins, busy }
}

function opened({ keys, tenant_id }: Context, { card_id, sealed, failures }: SealedPin): KeptPin {
  const bind = bindingOfPin({ tenant_id, card_id })
  return { value: new Secret(keys.open('cards', sealed, bind).toString()), failures }
}

/**
 * Writes how many wrong PINs there were in a row. The statement fails (kit/db/conflict.ts) if there
 * were not `read` of them before.
 */
export const savePinFailures = (
  tx: Tx,
  pins: readonly { card_id: string; failures: number; read: number }[],
): Write => updatePinFailures(tx, pins)

/** Lengths of values that only software makes, for PINs of 5 to 8, 9, and 10 to 12 digits. */
const LONG_LENGTHS = [11, 16, 17]

/**
 * Cards of all tenants whose PIN only software can verify, `most` of them. A sealed text is as much
 * longer than its text, whatever that is; PVVs and offsets have other lengths.
 */
export async function listCardsOfLongPins(db: Db, keys: Keyring, most: number): Promise<string[]> {
  const sealed = LONG_LENGTHS.map((length) => keys.seal('cards', Buffer.alloc(length), '').length)
  return listCardsBySealedPin(db, sealed, most)
}
