import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { queries, sessionQuery } from '../api/session.ts'
import { Brand } from '../parts/brand.tsx'
import styles from './session.module.css'

/** Takes the place of the pages of a member once another one has signed in in this browser. */
export function OtherMember({ email }: { email: string }) {
  const { t } = useTranslation()
  const [kept] = sessionQuery.queryKey
  useEffect(() => {
    document.title = t('session.other')
    // The pages are gone, and with them what was typed; answers that they have read go too.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept })
  }, [t, kept])
  return (
    <div className={styles['other']}>
      <header>
        <Brand />
      </header>
      <main className={styles['panel']}>
        <h1 className={styles['title']}>{t('session.other')}</h1>
        <div role="alert">
          <p>
            {t('session.other_now')} <bdi className={styles['email']}>{email}</bdi>
          </p>
          <p className={styles['soft']}>{t('session.other_text')}</p>
        </div>
        {/* A new document has nothing of the one before. */}
        <Button component="a" href="/console/home">
          {t('session.other_go_on')}
        </Button>
        <Button component="a" variant="default" href="/console/sign-in">
          {t('session.else')}
        </Button>
      </main>
    </div>
  )
}
