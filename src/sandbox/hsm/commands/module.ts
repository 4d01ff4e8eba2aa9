/** The module itself: NC says which it is, B2 returns what it was sent. */

import type { Command } from '../command.ts'
import { checkValueOfLmk } from '../lmk.ts'

/** Nine characters. */
const FIRMWARE = '0001-S000'

export const diagnose: Command = (fields) => ({
  ending: fields.ending(),
  run: (lmk) => checkValueOfLmk(lmk) + FIRMWARE,
})

export const echo: Command = (fields) => {
  const data = fields.counted(4)
  return { ending: fields.ending(), run: () => data }
}
