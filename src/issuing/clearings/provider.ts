/** The interface of the places in which clearing files of card networks appear (D-1041). */

/** `changed` is in milliseconds since 1970, by the clock of the place. */
export type FoundFile = { name: string; size: number; changed: number }

/** A folder, open. Each call fails with a PlaceFault where the place does not do it. */
export type ClearingFolder = AsyncDisposable & {
  /** Its files with these names; no links, pipes or folders. */
  list: (isWanted: (name: string) => boolean) => Promise<FoundFile[]>
  read: (name: string) => AsyncIterable<Buffer>
  /** Gives a file another name, in place of one that has it; nothing if it is gone. */
  putAway: (from: string, to: string) => Promise<void>
}

export type WatchedPlace = Readonly<{
  /** Its name in NETWORKS_FILE. */
  network: string
  /** The tenant of records without a card; null: that of the first record with one. */
  tenant_id: string | null
  look_s: number
  open: () => Promise<ClearingFolder>
}>
