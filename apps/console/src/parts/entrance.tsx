import { Button } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { leaveMember } from '../api/session.ts'
import { chooseLanguage, LANGUAGES, otherLanguage } from '../i18n/i18n.ts'
import { Brand } from './brand.tsx'
import styles from './entrance.module.css'
import { Exhibit } from './exhibit.tsx'
import type { PageName } from './page.tsx'

type EntranceProps = { name: PageName; lead: string; children: ReactNode }

/** A page of those who have not signed in. */
export function Entrance({ name, lead, children }: EntranceProps) {
  const { t } = useTranslation()
  const title = t(`pages.${name}`)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(leaveMember, [])
  return (
    <div className={styles['entrance']}>
      <header className={styles['top']}>
        <Brand />
        <OtherLanguage />
      </header>
      <main className={styles['main']}>
        <h1 className={styles['title']}>{title}</h1>
        <p className={styles['lead']}>{lead}</p>
        {children}
      </main>
      <Exhibit />
    </div>
  )
}

/** There are two languages: a button leads to the one that is not spoken. */
function OtherLanguage() {
  const { i18n } = useTranslation()
  const other = otherLanguage(i18n.language)
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      lang={other}
      leftSection={<IconLanguage size={16} aria-hidden />}
      onClick={() => void chooseLanguage(other)}
    >
      {LANGUAGES[other]}
    </Button>
  )
}
