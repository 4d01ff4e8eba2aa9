/**
 * Looks at the places in which clearing files of networks appear (D-1041), and imports each file
 * once it is whole. A file is of all tenants, so the sweep has one turn, that of the first id.
 */

import type { Context } from '#kit/context.ts'
import { PlaceFault } from '#kit/files/place_fault.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Log } from '#kit/log.ts'
import { printable } from '#lib/printable.ts'
import { ApiError } from '#lib/result.ts'
import { CLEARING, FILE_BYTES } from '../clearings.ts'
import { importClearing } from '../importing.ts'
import { metrics, type Result, zeroPlace } from '../metrics.ts'
import type { ClearingFolder, FoundFile, WatchedPlace } from '../provider.ts'
import {
  DONE,
  FAILED,
  isSeen,
  isTaken,
  isWhole,
  type Waiting,
  waitingOf,
} from '../rules/found_files.ts'
import { hasTenant } from '../store.ts'
import { claimPlace, hasDuePlace, updateDue, updatePlace } from './store.ts'

/** A process that looks is given up after so long without a file more. */
const LEASE_MS = 120_000
/** Files of a look; others wait for the next one. */
const FILES = 1_000
const MS = 1_000

export type Watching = { places: readonly WatchedPlace[]; log: Log }

export function watchingPlaces({ places, log }: Watching): Sweep {
  const networks = places.map(({ network }) => network)
  networks.forEach(zeroPlace)
  return {
    name: 'clearing places',
    realTime: true,
    outside: true,
    dueTenants: async (db, from) =>
      from === FIRST_ID && (await hasDuePlace(db, networks)) ? [FIRST_ID] : [],
    async run(ctx) {
      for (const place of places) await lookAt(ctx, place, log)
      return { more: false }
    },
  }
}

/** Nothing where another process looks, or the last look was a moment ago. */
export async function lookAt(sweep: Context, place: WatchedPlace, log: Log): Promise<void> {
  // The turn is of no tenant, and the records are of any.
  const ctx = { ...sweep, db: sweep.db.atEntry() }
  const { network } = place
  const before = await claimPlace(ctx.db, network, LEASE_MS)
  if (!before) return
  const look = new Look(ctx, place, log)
  let fault: unknown
  try {
    await look.take(before)
  } catch (error) {
    fault = error
  }
  fault ??= look.fault
  if (fault !== undefined) metrics.clearingPlaceFaults.inc({ network })
  if (fault instanceof PlaceFault) log.warn({ network, err: fault }, 'a watched place is not read')
  const sentence = fault instanceof PlaceFault ? fault.message : 'an error that nobody expected'
  await updatePlace(ctx.db, network, {
    waiting: look.waiting ?? before,
    fault: fault === undefined ? null : sentence,
    after_ms: place.look_s * MS,
  })
  if (fault !== undefined && !(fault instanceof PlaceFault)) throw fault
}

class Look {
  readonly #ctx: Context
  readonly #place: WatchedPlace
  readonly #log: Log
  /** The files that are left for the next look; undefined where the place was not listed. */
  waiting: Waiting | undefined
  /** That of the first file that could not be taken. */
  fault: unknown

  constructor(ctx: Context, place: WatchedPlace, log: Log) {
    this.#ctx = ctx
    this.#place = place
    this.#log = log.child({ network: place.network })
  }

  async take(before: Waiting): Promise<void> {
    const { tenant_id, open, network } = this.#place
    if (tenant_id !== null && !(await hasTenant(this.#ctx, tenant_id))) {
      throw new PlaceFault(`clearing of network ${network} names a tenant that is not there`)
    }
    await using folder = await open()
    const all = (await folder.list(isSeen)).toSorted(byName).slice(0, FILES)
    this.waiting = waitingOf(all)
    for (const file of all) {
      if (!isTaken(file.name)) this.#leave(file, before)
      else if (isWhole(file, before)) await this.#takeOne(folder, file)
    }
  }

  /** It is named once. */
  #leave({ name }: FoundFile, before: Waiting): void {
    if (Object.hasOwn(before, name)) return
    this.#log.warn({ file_name: printable(name) }, 'a file of such a name is not imported')
  }

  /** One that cannot be read keeps no other from it. */
  async #takeOne(folder: ClearingFolder, file: FoundFile): Promise<void> {
    const { name } = file
    try {
      await updateDue(this.#ctx.db, this.#place.network, LEASE_MS)
      const { result, clearing_id } = await this.#import(folder, file)
      const [now] = await folder.list((other) => other === name)
      // It was written on meanwhile: it is read anew once it is whole.
      if (now && (now.size !== file.size || now.changed !== file.changed)) return
      const isDone = result === 'accepted' || result === 'known'
      await folder.putAway(name, `${name}${isDone ? DONE : FAILED}`)
      metrics.clearingFiles.inc({ network: this.#place.network, result })
      const facts = { file_name: name, clearing_id, result }
      if (isDone) this.#log.info(facts, 'a clearing file was imported')
      else this.#log.warn(facts, 'a clearing file was not accepted')
      const { [name]: _, ...left } = this.waiting ?? {}
      this.waiting = left
    } catch (error) {
      this.fault ??= error
    }
  }

  async #import(folder: ClearingFolder, { name, size }: FoundFile): Promise<Taken> {
    if (size > FILE_BYTES) return { result: 'too_large' }
    try {
      const { tenant_id } = this.#place
      const bytes = folder.read(name)
      const { row, is_known } = await importClearing(this.#ctx, bytes, tenant_id ?? undefined)
      const clearing_id = row.id
      if (row.state !== 'ACCEPTED') return { result: 'rejected', clearing_id }
      for (const id of row.tenant_ids) this.#ctx.notify(CLEARING, id)
      return { result: is_known ? 'known' : 'accepted', clearing_id }
    } catch (error) {
      if (error instanceof ApiError && error.code === 'clearing_file_differs') {
        return { result: 'differs' }
      }
      throw error
    }
  }
}

type Taken = { result: Result; clearing_id?: string }

const byName = ({ name: one }: FoundFile, { name: other }: FoundFile): number =>
  one < other ? -1 : 1
