/**
 * The database of one simulated process: it waits at the points of the schedule before and after
 * everything that the engine asks of it, its answers may be lost, and it ends with the process.
 */

import { CommitInDoubt, DatabaseUnavailable, type Db } from '#kit/db/database.ts'
import type { Schedule } from './schedule.ts'

/** The fate of a group of statements that is a transaction. */
export type Fate = 'answered' | 'answer lost' | 'never sent'

export type Conditions = {
  name: string
  schedule: Schedule
  isOver: () => boolean
  /** The fate of the next transaction. */
  fate: () => Fate
  /** Milliseconds that the answer to a transaction takes in real time. */
  delay: () => number
  /** The error that is thrown if the process has ended; by default, that the database is away. */
  gone?: () => Error
}

type Line = Awaited<ReturnType<Db['openLine']>>

/** `db` as this process has it. Calls that it does not wait for go to `db` itself. */
export function waitingDatabase(db: Db, conditions: Conditions): Db {
  const own = {
    forTenant: (tenant_id: string) => waitingDatabase(db.forTenant(tenant_id), conditions),
    runSession: (work: Parameters<Db['runSession']>[0]) => read(db, conditions, work),
    runTransaction: (work: Parameters<Db['runTransaction']>[0]) =>
      write(conditions, () => db.runTransaction(work)),
    openLine: async () => waitingLine(await db.openLine(), conditions),
  }
  return new Proxy(db, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...values: unknown[]) => {
        if (conditions.isOver()) throw ended(conditions)
        return Reflect.apply(member, target, values)
      }
    },
  })
}

const ended = ({ gone }: Conditions) =>
  gone?.() ?? new DatabaseUnavailable(new Error('the process has ended'))

async function read<Result>(
  db: Db,
  conditions: Conditions,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { name, schedule, isOver } = conditions
  await schedule.point(`${name} reads`)
  if (isOver()) throw ended(conditions)
  const result = await schedule.during(db.runSession(work))
  await schedule.point(`${name} decides`)
  if (isOver()) throw ended(conditions)
  return result
}

/** The transactions of a line are sent in their order, whichever waits for what. */
function waitingLine(line: Line, conditions: Conditions): Line {
  let sent: Promise<unknown> = Promise.resolve()
  const own = {
    send(work: Parameters<Line['send']>[0]) {
      const before = sent
      const { promise, resolve } = Promise.withResolvers<void>()
      sent = promise
      return write(
        conditions,
        async () => {
          const answer = line.send(work)
          resolve()
          return answer
        },
        before,
      ).finally(resolve)
    },
    release: () => line.release(),
  }
  return new Proxy(line, { get: (_target, name) => Reflect.get(own, name) })
}

async function write<Result>(
  conditions: Conditions,
  send: () => Promise<Result>,
  before: Promise<unknown> = Promise.resolve(),
): Promise<Result> {
  const { name, schedule, isOver, fate, delay } = conditions
  await schedule.point(`${name} writes`)
  await before
  if (isOver()) throw ended(conditions)
  const what = fate()
  if (what === 'never sent') {
    schedule.note(`${name}: the transaction never comes to the database`)
    throw new CommitInDoubt(new Error('never sent'))
  }
  const result = await schedule.during(send())
  const ms = delay()
  if (ms > 0) await schedule.during(new Promise((resolve) => setTimeout(resolve, ms)))
  await schedule.point(`${name} has the answer of the database`)
  if (isOver()) throw ended(conditions)
  if (what === 'answer lost') {
    schedule.note(`${name}: the answer of the database is lost`)
    throw new CommitInDoubt(new Error('answer lost'))
  }
  return result
}
