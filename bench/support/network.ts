/** The ISO 8583 port of an engine, and the load of a card network on it. */

import { fork } from 'node:child_process'
import { createTenantFinder, type Engine } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { createLog } from '#kit/log.ts'
import type { Load, Measured } from '../network_load.ts'

type On = { services: Services; engine: Engine; wire?: WireLog | null }

/** The load generator is a child process. The port is open as long as it is needed. */
export async function driveNetwork(
  { services, engine, wire = null }: On,
  load: Omit<Load, 'port'>,
): Promise<Measured> {
  const port = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    engine: {
      submit: (tenant_id, job) => engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(services),
    },
    log: createLog('silent'),
    wire,
  })
  const { port: number } = await port.listen()
  const child = fork(new URL('../network_load.ts', import.meta.url))
  const result = new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
  })
  child.send({ ...load, port: number } satisfies Load)
  const answered = await result
  await port.close()
  return answered
}
