/** Triggers of decline codes: each is caused by what docs/codes.md says of its check. */

import type { CreateCardProductBody, UpdateCardAuthSettingsBody } from '#client/index.ts'
import { Fault } from '../kit/faults.ts'
import { bulkKind } from './declines/bulk.ts'
import { controls, type Recipe } from './declines/controls.ts'
import { states } from './declines/states.ts'
import { wire } from './declines/wire.ts'
import type { Kind } from './kind.ts'
import type { Fields } from './stage.ts'

type Settings = UpdateCardAuthSettingsBody & NonNullable<CreateCardProductBody['auth_settings']>

const CASH: Fields = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' }
const DEPOSIT: Fields = { transaction_type: 'DEPOSIT' }

/** A switch of a product and of a card, the code of each, and the payment that it is about. */
const switches: readonly [settings: Settings, fields: Fields, product: string, card: string][] = [
  [{ atm: false }, CASH, '1832', '1862'],
  [{ pos: false }, { entry_mode: 'CONTACTLESS' }, '1863', '1863'],
  [{ chip: false }, { entry_mode: 'CHIP' }, '1864', '1864'],
  [{ magstripe: false }, { entry_mode: 'MAGSTRIPE' }, '1865', '1865'],
  [{ chip_fallback: false }, { entry_mode: 'FALLBACK' }, '1866', '1866'],
  [{ pin_absent: false }, { entry_mode: 'CONTACTLESS' }, '1837', '1867'],
  [{ ecommerce_3ds: false }, { three_ds: 'AUTHENTICATED' }, '1839', '1869'],
  [{ ecommerce_non_3ds: false }, {}, '1838', '1868'],
  [{ ecommerce_without_cvv2: false }, { three_ds: 'ATTEMPTED' }, '1840', '1870'],
  [{ quasi_cash: false }, { transaction_type: 'QUASI_CASH' }, '1841', '1871'],
  [{ account_funding: false }, { transaction_type: 'ACCOUNT_FUNDING' }, '1842', '1872'],
  [{ credit: false }, { transaction_type: 'ORIGINAL_CREDIT' }, '1843', '1873'],
  [
    { account_verification_without_cvv2: false },
    { transaction_type: 'VERIFICATION', amount: 0 },
    ...(['1844', '1874'] as const),
  ],
  [{ cash_in: false }, DEPOSIT, '1899', '1899'],
  [{ cash_out: false }, CASH, '1900', '1900'],
  [{ atm_deposit: false }, DEPOSIT, '1901', '1901'],
  [{ incoming_transfers: false }, { transaction_type: 'ORIGINAL_CREDIT' }, '1849', '1849'],
  [{ outgoing_transfers: false }, { transaction_type: 'TRANSFER' }, '1850', '1850'],
  [{ recurring: false }, { entry_mode: 'CREDENTIAL_ON_FILE' }, '1895', '1895'],
  [{ min_amount: 50 }, { amount: 10 }, '1881', '1882'],
  [{ max_amount: 5 }, { amount: 10 }, '1829', '1883'],
]

const bySwitch: readonly Recipe[] = switches.flatMap(([settings, fields, product, card]) => {
  const [name = '', value] = Object.entries(settings)[0] ?? []
  const set = `${name} ${value === false ? 'off' : value}`
  const atProduct: Recipe = {
    ...{ code: product, about: `the product has ${set}` },
    run: async (stage) => stage.pay(await stage.newCard({ auth_settings: settings }), fields),
  }
  const atCard: Recipe = {
    ...{ code: card, about: `the card has ${set}` },
    run: async (stage) => {
      const held = await stage.newCard()
      await stage.bezant.cards.updateAuthSettings(held.id, settings)
      stage.say(`the card has ${set}`, held.id)
      return stage.pay(held, fields)
    },
  }
  return product === card ? [atProduct] : [atProduct, atCard]
})

const byTransaction = [...states, ...bySwitch, ...controls, ...wire].map(
  ({ code, about, run }): Kind => ({
    ...{ name: code, about, takes: 'nothing' },
    run: async (stage) => {
      const { id, status_code } = await run(stage)
      if (status_code === code) return
      throw new Fault(`the code is ${status_code} and not ${code}: bezant explain ${id}`)
    },
  }),
)

export const declineKinds: readonly Kind[] = [...byTransaction, bulkKind].sort((one, other) =>
  one.name.localeCompare(other.name),
)
