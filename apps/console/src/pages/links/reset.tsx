import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
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
  const [remove_factors, setRemove] = useState(false)
  const replace = (password: string) => {
    const body = { token, password, remove_factors }
    return answered(portal.passwords.confirmReset(body))
  }
  return (
    <Entrance name="reset" lead={t('mailed.reset_lead')}>
      {isDone ? (
        <div className={styles['form']}>
          <strong role="status">{t('mailed.replaced')}</strong>
          <Button component={Link} to="/sign-in">
            {t('pages.sign_in')}
          </Button>
        </div>
      ) : (
        <NewPassword submit={t('mailed.replace')} act={replace} onDone={() => setDone(true)}>
          <Factors token={token} isRemoved={remove_factors} onChange={setRemove} />
        </NewPassword>
      )}
    </Entrance>
  )
}

type FactorsProps = { token: string; isRemoved: boolean; onChange: (isRemoved: boolean) => void }

/** The second factors that there are, and the choice to remove them (D-1001). */
function Factors({ token, isRemoved, onChange }: FactorsProps) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['reset_factors', token],
    queryFn: () => answered(portal.passwords.checkReset({ token })),
    retry: false,
  })
  if (!data || (!data.totp && data.passkeys === 0)) return null
  const totp = data.totp ? t('mailed.has_totp') : t('mailed.has_no_totp')
  return (
    <Checkbox.Group label={t('mailed.factors')} value={isRemoved ? ['remove'] : []}>
      <p>{t('mailed.factors_text', { totp, passkeys: data.passkeys })}</p>
      <Checkbox
        value="remove"
        label={t('mailed.remove_factors')}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </Checkbox.Group>
  )
}
