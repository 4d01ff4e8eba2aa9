/** The card product of a card: that it exists, and has what its messages are checked with. */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'
import { needsKeys } from './proofs.ts'

/**
 * No call deletes a card product, and each has keys from its creation: only a database that was
 * restored in part leads to these (D-465).
 */
export function product({ request, kind, keys, lacks_product }: Case): Finding {
  if (lacks_product) return declined('1847', 'the card product of the card does not exist')
  const isChecked = kind.direction !== 'credit' && needsKeys(request)
  return isChecked && !keys
    ? declined('1845', 'the card product has no keys')
    : passed('configured')
}
