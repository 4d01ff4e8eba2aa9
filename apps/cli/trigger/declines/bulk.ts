/** The code of a bulk issuance, which has no transaction. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../kit/faults.ts'
import type { Kind } from '../kind.ts'
import type { Stage } from '../stage.ts'

const PAUSE_MS = 100
const BULK_TRIES = 100

/** A bulk issuance of two cards under a product that has one number. */
async function numbersUsedUp(stage: Stage): Promise<void> {
  const { cards } = stage.bezant
  const card_product_id = await stage.newProduct({ pan_range: { start_range: 7, end_range: 7 } })
  const submitted = await cards.createBulkIssuance({ card_product_id, number_of_cards: 2 })
  // It is absent in a dry run alone.
  const { id = '' } = submitted
  stage.say('a bulk issuance of two cards is submitted', id)
  for (let tries = 0; tries < BULK_TRIES; tries++) {
    const { status, error } = await cards.getBulkIssuance(id)
    if (error) return stage.say(`it is ${status}: ${error.code} ${error.message}`, id)
    await sleep(PAUSE_MS)
  }
  throw new Fault(`bulk issuance ${id} is not processed yet`)
}

export const bulkKind: Kind = {
  name: '1853',
  about: 'a bulk issuance has too few card numbers',
  takes: 'nothing',
  run: numbersUsedUp,
}
