/** The statuses by the age of a heartbeat (D-630). */

export const ROLES = ['api', 'network', 'worker'] as const
export type ProcessRole = (typeof ROLES)[number]

export const PART_STATUSES = ['UP', 'STALE', 'DOWN'] as const
export type PartStatus = (typeof PART_STATUSES)[number]

export const PARTS = ['API', 'NETWORK', 'WORKER', 'DATABASE'] as const
export type PartName = (typeof PARTS)[number]

/** Three heartbeats. */
const STALE_MS = 15_000
const DOWN_MS = 60_000

const PARTS_BY_ROLE = { API: 'api', NETWORK: 'network', WORKER: 'worker' } as const

type Seen = { roles: readonly string[]; seen: Date }
type Part = { part: PartName; status: PartStatus; processes: number; seen?: Date }

/** The status by the instant of the last heartbeat. */
export function statusOf(seen: Date, now: Date): PartStatus {
  const age = now.getTime() - seen.getTime()
  if (age <= STALE_MS) return 'UP'
  return age <= DOWN_MS ? 'STALE' : 'DOWN'
}

/**
 * The instant by which heartbeats are judged. While a node of a cluster is away none is written,
 * since each node has a copy of them; so they are compared with each other.
 */
export function judgedAt(
  processes: readonly Pick<Seen, 'seen'>[],
  now: Date,
  isNodeAway: boolean,
): Date {
  if (!isNodeAway || processes.length === 0) return now
  return new Date(Math.max(...processes.map(({ seen }) => seen.getTime())))
}

/**
 * The health of the parts. The database has just answered with the processes; it is STALE while a
 * node of it is away.
 */
export function healthOf(
  processes: readonly Seen[],
  now: Date,
  isNodeAway = false,
): { status: 'OK' | 'DEGRADED'; parts: Part[] } {
  const parts: Part[] = Object.entries(PARTS_BY_ROLE).map(([part, role]) => {
    const own = processes.filter(({ roles }) => roles.includes(role))
    // The keys of the table above.
    return { part: part as PartName, ...partOf(own, judgedAt(processes, now, isNodeAway)) }
  })
  const status = isNodeAway ? 'STALE' : 'UP'
  parts.push({ part: 'DATABASE', status, processes: 1, seen: now })
  const isWhole = parts.every(({ status }) => status === 'UP')
  return { status: isWhole ? 'OK' : 'DEGRADED', parts }
}

function partOf(processes: readonly Seen[], now: Date): Omit<Part, 'part'> {
  const times = processes.map(({ seen }) => seen.getTime())
  if (times.length === 0) return { status: 'DOWN', processes: 0 }
  const seen = new Date(Math.max(...times))
  const present = processes.filter((one) => statusOf(one.seen, now) !== 'DOWN')
  return { status: statusOf(seen, now), processes: present.length, seen }
}
