/**
 * Key blocks that are to be brought in. The header of a block says its use: a module that keeps key
 * blocks would take it for any.
 */

import type { KeyUse } from '#issuing/vault/provider.ts'
import { misspelling } from '#pin/misspelling.ts'
import { parseHeader } from '#pin/tr31_header.ts'
import { keyTypes } from './keys.ts'

/** The fault of a block, as the end of a sentence; undefined for one to ask the module about. */
export function unfitBlock(use: KeyUse, block: string): string | undefined {
  const parsed = parseHeader(block)
  if (!parsed) {
    const isBlock = (text: string) => parseHeader(text) !== undefined
    return misspelling(block, isBlock) ?? 'is not a key block'
  }
  const { key_usage, algorithm } = parsed.header
  const { usage, also = [] } = keyTypes[use]
  const usages = [usage, ...also]
  if (!usages.includes(key_usage)) return `has the usage ${key_usage}, not ${usages.join(' or ')}`
  const wanted = use.endsWith('_AES') ? 'A' : 'T'
  return algorithm === wanted ? undefined : `has the algorithm ${algorithm}, not ${wanted}`
}
