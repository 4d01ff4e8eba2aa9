import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { pages } from '../i18n/en/pages.ts'
import styles from './parts.module.css'
import { Status } from './values.tsx'

export type PageName = keyof typeof pages

type PageProps = {
  name: PageName
  /** The title of a single object; by default the name of the page. */
  title?: ReactNode
  /** The status of a single object, beside its title. */
  status?: string | undefined
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The main part of a page: names the document, and moves the focus to the heading it begins with. */
export function Page({ name, title, status, lead, actions, children }: PageProps) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const text = t(`pages.${name}`)
  useEffect(() => {
    document.title = text
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reader follows each navigation.
  useEffect(() => {
    // A reader who has opened a dialog before the page arrived goes on in it.
    const isElsewhere = document.querySelector('[aria-modal="true"]') !== null
    if (!isElsewhere) heading.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          <h1 ref={heading} tabIndex={-1} className={styles['title']}>
            {title ?? text}
            {status !== undefined && <Status>{status}</Status>}
          </h1>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
