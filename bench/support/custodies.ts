/** Tenants whose keys are in software or in a security module, with the same keys, PINs and load. */

import { randomBytes } from 'node:crypto'
import type { Fields } from '#iso8583/message.ts'
import { createTenantFinder, Engine } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import {
  type CardCryptography,
  findPins,
  installTestKeys,
  keySets,
  savePin,
} from '#issuing/vault/vault.ts'
import { type Context, transact } from '#kit/context.ts'
import { createLog } from '#kit/log.ts'
import { numericOf } from '#lib/currency.ts'
import { Secret } from '#lib/secret.ts'
import { chipData, chipTags, usualVersion } from '#sandbox/network/chip_card.ts'
import { CHIP_KEYS, chipKey } from '#test/support/network/chips.ts'
import { format0, pinKeys } from '#test/support/network/pins.ts'
import { CURRENCY, type Deck, dealCards, numbersOf } from './cards.ts'
import type { Platform } from './platform.ts'

const PIN = '4831'
const AT_ONCE = 250
/** A chip whose holder has entered the PIN. */
const ENTRY = { 22: '051', 25: '00' }

export type Side = {
  /** The port on which its messages are taken. */
  port: number
  pans: string[]
  /** The next requests with a PIN block and a cryptogram; the cards take turns. */
  proving: (count: number) => Fields[]
  /** Wrong PINs that are counted, over all cards. */
  wrongTries: () => Promise<number>
  close: () => Promise<void>
}

export async function openSide(
  platform: Platform,
  custody: CardCryptography,
  { cards, bin }: { cards: number; bin: string },
): Promise<Side> {
  const services = { ...platform.services, custody }
  const deck = await dealCards({ ...platform.ctx(), custody }, cards, { bin })
  const ctx: Context = { ...platform.ctx(deck.tenant_id), custody }
  await installTestKeys(ctx, deck.card_product_id, { ...pinKeys, ...CHIP_KEYS })
  const pans = await numbersOf(ctx, deck.card_ids)
  await givePins(ctx, deck, pans)
  const engine = new Engine(services)
  const port = createNetworkPort({
    ...{ host: '127.0.0.1', port: 0, dialect: 'ascii', header: 'binary2' },
    engine: {
      submit: (tenant_id, job) => engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(services),
    },
    log: createLog('silent'),
  })
  let sales = 0
  return {
    port: (await port.listen()).port,
    pans,
    proving: (count) =>
      Array.from({ length: count }, () => {
        const sale = sales++
        return requestOf(pans[sale % cards] ?? '', 1 + Math.floor(sale / cards))
      }),
    async wrongTries() {
      const pins = await findPins(ctx, deck.card_ids)
      return [...pins.values()].reduce((sum, { failures }) => sum + failures, 0)
    },
    async close() {
      await port.close()
      await engine.drain()
    },
  }
}

async function givePins(ctx: Context, deck: Deck, pans: readonly string[]): Promise<void> {
  const { card_product_id, card_ids } = deck
  const keys = (await keySets(ctx, [card_product_id])).get(card_product_id)
  if (!keys) throw new Error('the product has no keys')
  for (let from = 0; from < pans.length; from += AT_ONCE) {
    const values = await Promise.all(
      pans
        .slice(from, from + AT_ONCE)
        .map((pan) => ctx.custody.valueOfPin(new Secret(PIN), new Secret(pan), keys, 'PVV')),
    )
    await transact(ctx, async (tx) => {
      await Promise.all(values.map((value, at) => savePin(tx, card_ids[from + at] ?? '', value)))
    })
  }
}

/** As a terminal would send it: the PIN under the zone key, the cryptogram of the card. */
function requestOf(pan: string, atc: number): Fields {
  const tags = chipTags(
    { imk_ac: chipKey(CHIP_KEYS.imk_ac), pan: new Secret(pan) },
    {
      ...{ version: usualVersion(new Secret(pan)), atc, amount: 100n, processing_code: '000000' },
      ...{ currency: numericOf(CURRENCY), date: '260101', unpredictable: randomBytes(4) },
    },
  )
  return { 2: pan, ...ENTRY, 52: format0(PIN, pan), 55: chipData(tags) }
}
