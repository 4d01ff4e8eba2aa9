/**
 * Checks what npm test and npm run test:system have seen together: every operation, nearly every
 * status, and no exception that no statement needs.
 */

import { coverageOf } from './support/contract/coverage.ts'
import { allKept } from './support/processes/kept.ts'
import { unneeded } from './support/statements/check.ts'

const kept = allKept()
const { text, enough } = coverageOf(kept.flatMap(({ noted }) => noted))
const faults = unneeded(kept.flatMap(({ needed }) => needed))
console.log([text, ...(enough ? [] : ['the coverage is too low']), ...faults].join('\n'))
process.exitCode = enough && faults.length === 0 ? 0 : 1
