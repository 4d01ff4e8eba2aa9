/**
 * The tests that run once more with the keys in a security module (D-1013): `npm run test:module`.
 * They expect the same codes, traces, counts and books of both custodies.
 */

import { globSync } from 'node:fs'

/** All of authorization, and what else uses keys of cards. */
const FILES = [
  'src/adapters/payshield/*.test.ts',
  'src/issuing/{authorization,pins,vault,widgets}/**/*.test.ts',
  'src/issuing/{backtests,tokens}/*.test.ts',
  'src/issuing/card_orders/file.test.ts',
  'src/issuing/cards/{details_shown,reveal}.test.ts',
  'src/merchant/checkouts/{challenge,payment}.test.ts',
  'src/sandbox/network/*.test.ts',
  'test/custody.test.ts',
]

/** They prove nothing of a custody, and take minutes. */
const SLOW = ['src/issuing/**/*.{large,properties,races}.test.ts']

/** The name of a test of the software itself, and why a module cannot pass it. */
type LeftOut = { file: string; name: string; why: string }

const PINS = 'src/issuing/pins/routes.test.ts'

export const LEFT_OUT: readonly LeftOut[] = [
  {
    file: PINS,
    name: '400 for a weak PIN in a right block, unless the product accepts it',
    why: 'A module does not say what the PIN of a block is.',
  },
  {
    file: 'src/issuing/vault/key_blocks.test.ts',
    name: 'is joined of components, answers check values alone, and has to be set first',
    why: 'Components are joined at the module by its custodians, never here.',
  },
  {
    file: 'src/issuing/vault/key_blocks.test.ts',
    name: 'with a key of triple length is rejected',
    why: 'The key blocks of a module hide how long a key is.',
  },
]

export function moduleFiles(): string[] {
  const slow = new Set(globSync(SLOW))
  return globSync(FILES)
    .filter((file) => !slow.has(file))
    .sort()
}
