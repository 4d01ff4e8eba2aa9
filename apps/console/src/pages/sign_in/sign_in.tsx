import { Anchor } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { CodeForm } from './code_form.tsx'
import { PasskeyButton } from './passkey_button.tsx'
import { PasswordForm } from './password_form.tsx'

/** Begins a session, with a code where the member has a second factor (D-135). */
export function SignIn() {
  const { t } = useTranslation()
  const [challenge, setChallenge] = useState<string>()
  const navigate = useNavigate()
  const { next } = useSearch({ strict: false }) as { next?: string }
  const goOn = async () => {
    if (next !== undefined && DOCUMENTATION.includes(next)) return location.assign(next)
    await navigate({ href: `/console${placeOf(next)}` })
  }
  return (
    <Entrance name="sign_in" lead={t('entrance.sign_in_lead')}>
      {challenge === undefined ? (
        <>
          <PasswordForm onDone={goOn} onChallenge={setChallenge} />
          <PasskeyButton onDone={goOn} />
          <p className={styles['other']}>
            <Anchor component={Link} to="/forgot">
              {t('links.forgot')}
            </Anchor>
          </p>
        </>
      ) : (
        <CodeForm challenge={challenge} onDone={goOn} onBack={() => setChallenge(undefined)} />
      )}
      <p className={styles['other']}>
        {t('entrance.no_account')}{' '}
        <Anchor component={Link} to="/sign-up">
          {t('pages.sign_up')}
        </Anchor>
      </p>
    </Entrance>
  )
}

/** Pages of the program beside the console, which lead to here. */
const DOCUMENTATION: readonly string[] = ['/docs', '/docs/start', '/docs/errors']

/** Only places of the console: a link to here leads to no other site. */
const placeOf = (next: string | undefined): string =>
  next !== undefined && /^\/[a-z0-9]/i.test(next) ? next : '/home'
