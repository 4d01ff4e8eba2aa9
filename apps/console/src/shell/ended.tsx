import { lazy, Suspense } from 'react'
import { presentLapse } from '../api/standing.ts'
import styles from './session.module.css'

/** Loaded when a session has ended: no page needs it before. */
const Dialog = lazy(async () => ({ default: (await import('./sign_in_again.tsx')).SignInAgain }))

/** Covers a page whose session has ended; the page stays below, with what was typed. */
export function Ended({ email }: { email: string }) {
  return (
    <>
      <div className={styles['cover']} />
      <Suspense>
        <Dialog email={email} />
      </Suspense>
    </>
  )
}

/**
 * Dialogs below listen to Escape, and the finder to its keys, wherever the focus is. This listener
 * is there before theirs.
 */
function keepFromBelow(event: KeyboardEvent): void {
  const isOfDialogs = event.key === 'Escape' || event.ctrlKey || event.metaKey
  if (presentLapse() && isOfDialogs) event.stopImmediatePropagation()
}

window.addEventListener('keydown', keepFromBelow, { capture: true })
