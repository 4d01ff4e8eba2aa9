import { Anchor, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { Failing } from '../../parts/failing.tsx'

/** Asks for the mail with which a password is replaced; the answer tells nothing of the address. */
export function ForgotPage() {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const asking = useMutation({
    mutationFn: () => answered(portal.POST('/passwords:reset', { body: { email } })),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <Entrance name="forgot" lead={t('links.forgot_lead')}>
      {asking.isSuccess ? (
        <p role="status">{t('links.forgot_sent')}</p>
      ) : (
        <form onSubmit={send} className={styles['form']}>
          {asking.error && <Failing error={asking.error} title={t('states.rejected')} />}
          <TextInput
            type="email"
            label={t('account.email')}
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Button type="submit" loading={asking.isPending}>
            {t('links.send')}
          </Button>
        </form>
      )}
      <p className={styles['other']}>
        <Anchor component={Link} to="/sign-in">
          {t('links.back')}
        </Anchor>
      </p>
    </Entrance>
  )
}
