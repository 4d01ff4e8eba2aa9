/** A second process of the whole program on the database of a world, as far as HTTP goes. */

import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { loadMode } from '#src/program/modes/load.ts'
import { assemble } from '#src/program/program.ts'
import { requester, type World } from '../world.ts'

const CONNECTIONS = 6

export type SecondProcess = Pick<World, 'request' | 'origin'> & AsyncDisposable

/** Nothing that one of the two announces reaches the other. */
export async function openSecondProcess(world: World): Promise<SecondProcess> {
  await using opened = new AsyncDisposableStack()
  const { db, batches, close } = openDatabase(world.url, CONNECTIONS, { role: USUAL_ROLE })
  opened.defer(close)
  const { config, log, origin, services, tenant } = world
  const { app, sweeper } = assemble({
    mode: await loadMode(config.mode),
    config,
    db,
    batches,
    keys: services.keys,
    custody: services.custody,
    log,
  })
  opened.defer(() => sweeper.stop())
  opened.defer(() => app.close())
  await app.ready()
  const kept = opened.move()
  return {
    origin,
    request: requester(app, tenant.api_key),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
