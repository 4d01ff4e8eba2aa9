/** The clock of the tenant, which a sandbox may move forward. */

import { answered, issuing } from './client.ts'

export const readClock = () => answered(issuing.simulation.getClock())
