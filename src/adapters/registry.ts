/** Every adapter, one line each. */

import { type RegisteredAdapter, register } from './adapter.ts'
import { bureau } from './bureau/adapter.ts'
import { clamd } from './clamd/adapter.ts'
import { onfido } from './onfido/adapter.ts'
import { payshield } from './payshield/adapter.ts'
import { smtp } from './smtp/adapter.ts'
import { watchman } from './watchman/adapter.ts'

export const registry: readonly RegisteredAdapter[] = [
  register(bureau),
  register(clamd),
  register(onfido),
  register(payshield),
  register(smtp),
  register(watchman),
]
