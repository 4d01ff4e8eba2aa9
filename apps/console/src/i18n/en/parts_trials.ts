/** Texts of the simulator and the messages of the card network. */

import { checks } from './checks.ts'
import { filters } from './filters.ts'
import { payment } from './payment.ts'
import { said } from './said.ts'
import { simulator } from './simulator.ts'
import { steps } from './steps.ts'
import { traffic } from './traffic.ts'
import { wire } from './wire.ts'

export const trials = { checks, filters, payment, said, simulator, steps, traffic, wire }
