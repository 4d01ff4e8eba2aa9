import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { NotDone } from '../../parts/not_done.tsx'
import { lackOfPasskeys, signWithPasskey } from '../../parts/passkeys.ts'
import { PasskeysElsewhere } from '../../parts/passkeys_elsewhere.tsx'
import { useAction } from '../../parts/use_action.ts'

/** A sign-in without a password; the browser offers the passkeys that it has. */
export function PasskeyButton({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useTranslation()
  const signIn = useAction({
    act: async () => {
      const { options } = await answered(portal.passkeys.createChallenge())
      const credential = await signWithPasskey(options)
      return answered(portal.passkeys.signInWithPasskey({ credential }))
    },
    onDone,
  })
  const lack = lackOfPasskeys()
  if (lack === 'ADDRESS') {
    return (
      <p className={styles['other']}>
        <PasskeysElsewhere />
      </p>
    )
  }
  if (lack) return null
  return (
    <div className={styles['second']}>
      <span className={styles['split']}>{t('account.or')}</span>
      <NotDone of={signIn} />
      <Button
        variant="default"
        leftSection={<IconFingerprint size={16} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.press()}
      >
        {t('links.passkey')}
      </Button>
    </div>
  )
}
