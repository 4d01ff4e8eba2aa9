import { Anchor, Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { useAction } from '../../parts/use_action.ts'

/** Asks for the mail with which a password is replaced; the answer tells nothing of the address. */
export function ForgotPage() {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [isAsked, setAsked] = useState(false)
  const asking = useAction({
    act: () => answered(portal.passwords.requestReset({ email })),
    onDone: () => setAsked(true),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    asking.press()
  }
  return (
    <Entrance name="forgot" lead={t('mailed.forgot_lead')}>
      {isAsked ? (
        <p role="status">{t('mailed.forgot_sent')}</p>
      ) : (
        <form onSubmit={send} className={styles['form']}>
          <NotDone of={asking} />
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
            {t('mailed.send')}
          </Button>
        </form>
      )}
      <p className={styles['other']}>
        <Anchor component={Link} to="/sign-in">
          {t('mailed.back')}
        </Anchor>
      </p>
    </Entrance>
  )
}
