import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { NewPassword } from './new_password.tsx'
import { useToken } from './token.ts'

/** Replaces a forgotten password by the link of a mail (D-141). */
export function ResetPage() {
  const { t } = useTranslation()
  const token = useToken()
  const [isDone, setDone] = useState(false)
  const replace = (password: string) =>
    answered(portal.POST('/passwords:confirm', { body: { token, password } }))
  return (
    <Entrance name="reset" lead={t('links.reset_lead')}>
      {isDone ? (
        <div className={styles['form']}>
          <strong role="status">{t('links.replaced')}</strong>
          <Button component={Link} to="/sign-in">
            {t('pages.sign_in')}
          </Button>
        </div>
      ) : (
        <NewPassword submit={t('links.replace')} act={replace} onDone={() => setDone(true)} />
      )}
    </Entrance>
  )
}
