/**
 * The counts against velocity limits, as they are stored: in the row of the account or of the user,
 * or beside it if an account has many chains of cards (D-943).
 */

/** The group of counts over all cards of an account or of a user. */
export const OF_HOLDER = ''

/**
 * Minor units, number of transactions and window, as one text: with ten limits a decision reads,
 * copies and writes ten of them, and text takes a third of the time of arrays.
 */
export type StoredCount = `${bigint} ${number} ${string}`
/** Counts by `counterName` of their limit. */
export type GroupCounters = Readonly<Record<string, StoredCount>>
/**
 * Counters by group, as pairs, because the engine of JavaScript makes a class of objects for each
 * name that it has not met, and each chain of cards has another.
 */
export type StoredCounters = readonly (readonly [group: string, counters: GroupCounters])[]

/** The row of an account has the counters of so many chains of its cards (D-943). */
export const CHAINS_IN_ROW = 8

/**
 * The counters of chains of cards that have rows of their own; undefined for a chain without a row.
 * Only the chains that were looked for are present.
 */
export type ChainCounters = ReadonlyMap<string, GroupCounters | undefined>

/**
 * The counters of an account or of a user, with the version of the account, or of the user's row: 0
 * if there is none. `counters` are in its row. All counters of a user are there.
 */
export type HolderCounters = {
  holder_id: string
  version: bigint
  counters: StoredCounters
  chains?: ChainCounters
}

/** The counters of a chain that has a row of its own. */
export type ChangedChain = { account_id: string; chain_id: string; counters: GroupCounters }

export const groupIn = (counters: StoredCounters, group: string): GroupCounters | undefined =>
  counters.find(([name]) => name === group)?.[1]

/** Undefined if nothing has counted. */
export const groupOf = (
  { counters, chains }: HolderCounters,
  group: string,
): GroupCounters | undefined => groupIn(counters, group) ?? chains?.get(group)

const chainsIn = (counters: StoredCounters): Set<string> =>
  new Set(counters.map(([name]) => name).filter((name) => name !== OF_HOLDER))

/** Whether the chain may have a row of its own: that of the account was full without it. */
export function mayBeApart(counters: StoredCounters, chain: string): boolean {
  if (counters.length < CHAINS_IN_ROW) return false
  const names = chainsIn(counters)
  return names.size >= CHAINS_IN_ROW && !names.has(chain)
}

/** Whether all of them are in the row whatever it names: those of a user, and of most accounts. */
const haveRoom = ({ counters, chains }: HolderCounters, groups: ReadonlyMap<string, unknown>) =>
  chains === undefined || (counters.length + groups.size <= CHAINS_IN_ROW && !hasRows(chains))

function hasRows(chains: ChainCounters): boolean {
  for (const counters of chains.values()) if (counters) return true
  return false
}

/** The same with these in place of those of the same groups, each where it is or will be stored. */
export function withCounted(
  holder: HolderCounters,
  groups: ReadonlyMap<string, GroupCounters>,
): HolderCounters {
  if (haveRoom(holder, groups)) {
    return { ...holder, counters: withGroups(holder.counters, groups) }
  }
  const chains = new Map(holder.chains)
  const inRow = new Map<string, GroupCounters>()
  const names = chainsIn(holder.counters)
  for (const [name, counters] of groups) {
    const hasRoom = names.size < CHAINS_IN_ROW && chains.get(name) === undefined
    if (name === OF_HOLDER || names.has(name) || hasRoom) {
      if (name !== OF_HOLDER) names.add(name)
      inRow.set(name, counters)
    } else {
      if (!chains.has(name)) throw new Error('what a chain of cards has counted was not read')
      chains.set(name, counters)
    }
  }
  const { counters } = holder
  return { ...holder, chains, counters: inRow.size === 0 ? counters : withGroups(counters, inRow) }
}

/**
 * The counters that were read, with those that a batch has written since. Chains that the batch had
 * not looked for stay as they were read.
 */
export const laidOver = (read: HolderCounters, written: HolderCounters): HolderCounters =>
  read.chains && written.chains
    ? { ...written, chains: new Map([...read.chains, ...written.chains]) }
    : written

/** The same with these in place of those of the same groups. */
export const withGroups = (
  counters: StoredCounters,
  groups: ReadonlyMap<string, GroupCounters>,
): StoredCounters => [...counters.filter(([name]) => !groups.has(name)), ...groups]
