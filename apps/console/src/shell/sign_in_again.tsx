import { Anchor, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lookAtSession } from '../api/session.ts'
import { presentLapse } from '../api/standing.ts'
import { CodeForm } from '../pages/sign_in/code_form.tsx'
import { PasskeyButton } from '../pages/sign_in/passkey_button.tsx'
import { PasswordForm } from '../pages/sign_in/password_form.tsx'
import styles from './session.module.css'

const ABOVE_DIALOGS = 1000

/** Another member gets a new document, without anything of the page before. */
async function goOn(): Promise<void> {
  await lookAtSession()
  if (presentLapse()?.kind === 'OTHER') location.assign('/console/home')
}

/** The dialog in which the member signs in again, and goes on where the page stands. */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation()
  const [challenge, setChallenge] = useState<string>()
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={t('session.ended')}
      zIndex={ABOVE_DIALOGS}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // The page is covered already.
      withOverlay={false}
    >
      <p className={styles['lead']}>{t('session.ended_text')}</p>
      {challenge === undefined ? (
        <>
          <PasswordForm email={email} onDone={goOn} onChallenge={setChallenge} />
          <PasskeyButton onDone={goOn} />
        </>
      ) : (
        <CodeForm challenge={challenge} onDone={goOn} onBack={() => setChallenge(undefined)} />
      )}
      <p className={styles['leave']}>
        <Anchor href="/console/sign-in">{t('session.leave')}</Anchor>
      </p>
    </Modal>
  )
}
