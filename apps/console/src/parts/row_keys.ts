import { useRef } from 'react'
import { useKeys } from './keys.ts'

/**
 * Moves the focus over the rows of the list within the element: by `j` and `k`, and by the arrows
 * while a row has it. The first link of a row is what Enter opens.
 */
export function useRowKeys() {
  const around = useRef<HTMLDivElement>(null)
  const step = (by: 1 | -1) => {
    const links = [
      ...(around.current?.querySelectorAll<HTMLElement>('tbody tr td:first-child a') ?? []),
    ]
    const at = links.findIndex((link) => link.matches(':focus'))
    const next = at < 0 ? links[0] : links[Math.max(0, Math.min(links.length - 1, at + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const arrow = (by: 1 | -1) => {
    if (around.current?.contains(document.activeElement)) step(by)
    else scrollBy({ top: by * ARROW })
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => arrow(1),
    ArrowUp: () => arrow(-1),
  })
  return around
}

/** The distance that a browser scrolls by an arrow key, in pixels. */
const ARROW = 40
