import { account } from './account.ts'
import { card_settings } from './card_settings.ts'
import { cards } from './cards.ts'
import { checks } from './checks.ts'
import { common } from './common.ts'
import { controls } from './controls.ts'
import { gallery } from './gallery.ts'
import { home } from './home.ts'
import { hooks } from './hooks.ts'
import { lists } from './lists.ts'
import { operator } from './operator.ts'
import { orders } from './orders.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import { receiver } from './receiver.ts'
import { reviews } from './reviews.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { simulator } from './simulator.ts'
import { steps } from './steps.ts'
import { team } from './team.ts'
import { traffic } from './traffic.ts'
import { wire } from './wire.ts'
export const arabic = {
  ...common,
  ...people,
  ...lists,
  ...cards,
  ...card_settings,
  ...controls,
  ...hooks,
  ...orders,
  ...settings,
  ...team,
  checks,
  search,
  reviews,
  wire,
  traffic,
  operator,
  receiver,
  gallery,
  home,
  pages,
  account,
  simulator,
  steps,
}
