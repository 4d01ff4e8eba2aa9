/** Triggers of decline codes: each is caused by what docs/codes.md says of its check. */

import {
  authSwitches,
  type CreateCardProductBody,
  type UpdateCardAuthSettingsBody,
} from '#client/index.ts'
import { Fault } from '../kit/faults.ts'
import { bulkKind } from './declines/bulk.ts'
import { controls, type Recipe } from './declines/controls.ts'
import { states } from './declines/states.ts'
import { wire } from './declines/wire.ts'
import type { Kind } from './kind.ts'
import type { Fields, Stage } from './stage.ts'

type Settings = UpdateCardAuthSettingsBody & NonNullable<CreateCardProductBody['auth_settings']>

/** A setting of a product or a card, the code of each, and a payment that it declines. */
type Decline = {
  settings: Settings
  product: string
  card: string
  fields: Fields
  /** The hour at the tenant at which it does; absent for any. */
  hour?: number | undefined
}

const declines: readonly Decline[] = [
  ...authSwitches.map(({ name, product_code, card_code, sample, hour }) => ({
    settings: { [name]: false },
    product: product_code,
    card: card_code,
    fields: sample,
    hour,
  })),
  { settings: { min_amount: 50 }, product: '1881', card: '1882', fields: { amount: 10 } },
  { settings: { max_amount: 5 }, product: '1829', card: '1883', fields: { amount: 10 } },
]

const bySetting: readonly Recipe[] = declines.flatMap(
  ({ settings, product, card, fields, hour }) => {
    const [name = '', value] = Object.entries(settings)[0] ?? []
    const set = `${name} ${value === false ? 'off' : value}`
    const about = (level: string) =>
      `the ${level} has ${set}${hour === undefined ? '' : `, and the hour is ${hour}`}`
    const pay = (stage: Stage, made: Parameters<Stage['pay']>[0]) =>
      stage.atHour(hour, () => stage.pay(made, fields))
    const atProduct: Recipe = {
      code: product,
      about: about('product'),
      run: async (stage) => pay(stage, await stage.newCard({ auth_settings: settings })),
    }
    const atCard: Recipe = {
      code: card,
      about: about('card'),
      run: async (stage) => {
        const held = await stage.newCard()
        await stage.bezant.cards.updateAuthSettings(held.id, settings)
        stage.say(`the card has ${set}`, held.id)
        return pay(stage, held)
      },
    }
    return product === card ? [atProduct] : [atProduct, atCard]
  },
)

const byTransaction = [...states, ...bySetting, ...controls, ...wire].map(
  ({ code, about, run }): Kind => ({
    name: code,
    about,
    takes: 'nothing',
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
