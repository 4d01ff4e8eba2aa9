/** The storage of the browser. One that is denied keeps nothing, and stops no page. */

export type Storage = 'tab' | 'browser'

const areas = { tab: () => sessionStorage, browser: () => localStorage } as const

export function kept(storage: Storage, key: string): string | null {
  try {
    return areas[storage]().getItem(key)
  } catch {
    return null
  }
}

/** Undefined forgets what was kept. */
export function keep(storage: Storage, key: string, value: string | undefined): void {
  try {
    const area = areas[storage]()
    if (value === undefined) area.removeItem(key)
    else area.setItem(key, value)
  } catch {
    // It is known until the page is left, as everything else of it.
  }
}

/** The parsed text that was kept; undefined if it is absent or is no JSON. */
export function keptJson(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(kept(storage, key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
