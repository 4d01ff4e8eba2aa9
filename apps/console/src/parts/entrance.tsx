import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageItems } from '../shell/choices.tsx'
import { Brand } from './brand.tsx'
import styles from './entrance.module.css'
import type { PageName } from './page.tsx'

type EntranceProps = { name: PageName; lead: string; children: ReactNode }

/** A page of those who have not signed in. */
export function Entrance({ name, lead, children }: EntranceProps) {
  const { t } = useTranslation()
  const title = t(`pages.${name}`)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={styles['entrance']}>
      <header className={styles['top']}>
        <Brand />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.language')}>
              <IconLanguage size={20} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <LanguageItems />
          </Menu.Dropdown>
        </Menu>
      </header>
      <main className={styles['main']}>
        <h1 className={styles['title']}>{title}</h1>
        <p className={styles['lead']}>{lead}</p>
        {children}
      </main>
      <Points />
    </div>
  )
}

function Points() {
  const { t } = useTranslation()
  const points = [t('account.points.one'), t('account.points.two'), t('account.points.three')]
  return (
    <aside className={styles['aside']} aria-label={t('account.points.title')}>
      <strong>{t('account.points.title')}</strong>
      <ul>
        {points.map((point) => (
          <li key={point}>
            <IconCheck size={18} aria-hidden />
            {point}
          </li>
        ))}
      </ul>
    </aside>
  )
}
