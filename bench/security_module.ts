/** The security module of the bench, a process of its own: `security_module.ts PORT DELAY_MS`. */

import { startSimulator } from '#sandbox/hsm/simulator.ts'

/** `at` is the time at which it listens, milliseconds since 1970. */
export type Listening = { port: number; at: number }

const [port, delay_ms] = process.argv.slice(2).map(Number)
const simulator = await startSimulator({ port: port ?? 0, header: 4, delay_ms: delay_ms ?? 0 })
process.send?.({ port: simulator.port, at: Date.now() } satisfies Listening)
process.once('disconnect', () => process.exit(0))
