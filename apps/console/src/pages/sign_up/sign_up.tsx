import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Registered } from '../../api/types.ts'
import { CopyField } from '../../parts/copy.tsx'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { SignUpForm } from './form.tsx'

/** Makes an account, and shows its API key this once (D-134). */
export function SignUp() {
  const { t } = useTranslation()
  const [made, setMade] = useState<Registered>()
  const [isMailed, setMailed] = useState(false)
  const lead = made
    ? t('entrance.key_lead', { name: made.tenant.name })
    : t('entrance.sign_up_lead')
  return (
    <Entrance name="sign_up" lead={lead}>
      {isMailed && <p role="status">{t('entrance.mailed')}</p>}
      {made ? (
        <div className={styles['form']}>
          <strong role="status">{t('entrance.key_title')}</strong>
          <CopyField label={t('account.key')} text={made.api_key} />
          <Button component={Link} to="/first-steps" fullWidth>
            {t('actions.continue')}
          </Button>
        </div>
      ) : (
        !isMailed && <SignUpForm onMade={setMade} onMailed={() => setMailed(true)} />
      )}
    </Entrance>
  )
}
