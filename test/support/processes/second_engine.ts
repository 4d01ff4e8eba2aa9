/** A second process on the database of a world, as far as the engine is concerned. */

import { Engine, Responder } from '#issuing/authorization/authorization.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { createListener } from '#sandbox/responder/listener.ts'
import type { World } from '../world.ts'

const CONNECTIONS = 4

export type SecondEngine = { engine: Engine; close: () => Promise<void> }

export function openSecondEngine({ url, services }: World): SecondEngine {
  const { db, batches, close } = openDatabase(url, CONNECTIONS, { role: USUAL_ROLE })
  // Its notifications reach no other process.
  const responder = new Responder(undefined, undefined, createListener({ db, notify() {} }))
  return { engine: new Engine({ ...services, db: batches }, {}, responder), close }
}

/** Limits with which a batch follows others however few messages wait. */
export const AT_ONCE = { following: [0, 1, 1] }
