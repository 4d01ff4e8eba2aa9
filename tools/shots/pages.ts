/** Every picture, in the order of the menu. */

import { checkout } from './pages/checkout.ts'
import { controls } from './pages/controls.ts'
import { entrance } from './pages/entrance.ts'
import { issuing } from './pages/issuing.ts'
import { operator } from './pages/operator.ts'
import { payments } from './pages/payments.ts'
import { platform } from './pages/platform.ts'
import { server } from './pages/server.ts'
import { start } from './pages/start.ts'
import type { Shot } from './shot.ts'

export const shots: readonly Shot[] = [
  ...entrance,
  ...start,
  ...issuing,
  ...payments,
  ...controls,
  ...platform,
  ...operator,
  ...server,
  ...checkout,
]
