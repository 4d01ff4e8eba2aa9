/**
 * Parts of the shell that are loaded when they are first opened are fetched once the page is idle:
 * a tab that was open before a release still has them, and what was typed in it stays.
 */

import { useEffect } from 'react'

const PARTS = [
  () => import('./account_items.tsx'),
  () => import('./api_calls.tsx'),
  () => import('./palette/palette.tsx'),
  () => import('./said_line.tsx'),
  () => import('./sign_in_again.tsx'),
]
/** A page that stays busy is not disturbed. */
const IDLE_MS = 3000

export function useLoadedAhead(): void {
  useEffect(() => {
    const load = () => {
      // Offline it is asked for again when it is opened.
      for (const part of PARTS) void part().catch(() => undefined)
    }
    // Safari has no idle time to wait for.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, IDLE_MS)
      return () => clearTimeout(timer)
    }
    const id = requestIdleCallback(load)
    return () => cancelIdleCallback(id)
  }, [])
}
