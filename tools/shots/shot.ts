import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'

/** A picture of one page in one state. */
export type Shot = {
  /** The name of its file. */
  name: string
  /** The path of the program. */
  path: string | ((scene: Scene) => string)
  /**
   * The viewer of the page: a member with data, one who has just signed up, an operator, or no
   * user.
   */
  as: 'member' | 'newcomer' | 'operator' | 'nobody'
  /** Brings the page into the state: the actions of a person. */
  act?: (page: Page, scene: Scene) => Promise<void>
  /** The window only: a dialog or a drawer that `act` opens, or a page without an end. */
  isWindow?: true
}
