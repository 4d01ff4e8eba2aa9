/** Texts of the pages of users, cards, accounts, controls and payments. */

import { card_settings } from './card_settings.ts'
import { cards } from './cards.ts'
import { controls } from './controls.ts'
import { declines } from './declines.ts'
import { disputes } from './disputes.ts'
import { downloads } from './downloads.ts'
import { edit } from './edit.ts'
import { faults } from './faults.ts'
import { filters } from './filters.ts'
import { history } from './history.ts'
import { lists } from './lists.ts'
import { orders } from './orders.ts'
import { payouts } from './payouts.ts'
import { people } from './people.ts'
import { reviews } from './reviews.ts'
import { said } from './said.ts'

export const objects = {
  ...card_settings,
  ...cards,
  ...controls,
  ...lists,
  ...orders,
  ...payouts,
  ...people,
  declines,
  disputes,
  downloads,
  edit,
  faults,
  filters,
  history,
  reviews,
  said,
}
