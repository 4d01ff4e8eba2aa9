import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'

type NoticeProps = { tone: 'good' | 'warn' | 'bad'; title: string; children?: ReactNode }

/** Content that a reader of the page needs before the rest of it. */
export function Notice({ tone, title, children }: NoticeProps) {
  const Picture = tone === 'good' ? IconCircleCheck : IconAlertTriangle
  return (
    <div role="status" className={styles['notice']} data-tone={tone}>
      <Picture size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children !== undefined && <p>{children}</p>}
      </div>
    </div>
  )
}
