import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import styles from './tabs.module.css'

type TabsProps = {
  label: string
  tabs: readonly { to: string; text: string; isPresent: boolean }[]
}

/**
 * Pages that belong together; each has an address of its own. A narrow window scrolls their line
 * (D-818).
 */
export function Tabs({ label, tabs }: TabsProps) {
  const strip = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState('')
  const present = tabs.findIndex(({ isPresent }) => isPresent)
  useEffect(() => {
    const shown = strip.current
    if (!shown) return
    // Sizes change with the window, and when the font has come.
    const observer = new ResizeObserver(() => {
      showTab(shown, shown.children[present])
      setMore(moreOf(shown))
    })
    for (const element of [shown, ...shown.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [present])
  return (
    <nav aria-label={label} className={styles['strip']}>
      <div
        ref={strip}
        className={styles['tabs']}
        data-more={more}
        onScroll={({ currentTarget }) => setMore(moreOf(currentTarget))}
      >
        {tabs.map(({ to, text, isPresent }) => (
          <Link
            key={to}
            to={to}
            // The page below another one is not that one as well.
            activeOptions={{ exact: true }}
            aria-current={isPresent ? 'page' : undefined}
          >
            {text}
          </Link>
        ))}
      </div>
    </nav>
  )
}

/**
 * Scrolls the strip so that the tab is in its middle, with its neighbours beside it. The page
 * itself is not scrolled.
 */
function showTab(strip: HTMLElement, tab: Element | undefined): void {
  if (!tab) return
  const [outer, inner] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()]
  strip.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) })
}

/** Beyond which edges there is more: `before`, `after`, both or none. */
function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  // A strip from right to left counts down from zero. Browsers round widths.
  const passed = Math.abs(scrollLeft)
  const before = passed > 1 ? ['before'] : []
  const after = passed < scrollWidth - clientWidth - 1 ? ['after'] : []
  return [...before, ...after].join(' ')
}
