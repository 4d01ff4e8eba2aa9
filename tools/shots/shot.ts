import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'

/** A picture of one page in one state. */
export type Shot = {
  /** The name of its file. */
  name: string
  /** The path of the program. */
  path: string | ((scene: Scene) => string)
  /** Who looks: a member with data, one who has just signed up, an operator, or no one. */
  as: 'member' | 'newcomer' | 'operator' | 'nobody'
  /** Brings the page into the state: what a person does. */
  act?: (page: Page, scene: Scene) => Promise<void>
  /** The window only: what `act` opens, a dialog or a drawer, or a page without an end. */
  isWindow?: true
}
