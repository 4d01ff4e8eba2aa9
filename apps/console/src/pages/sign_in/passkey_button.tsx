import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { Failing } from '../../parts/failing.tsx'
import { lackOfPasskeys, signWithPasskey } from '../../parts/passkeys.ts'
import { PasskeysElsewhere } from '../../parts/passkeys_elsewhere.tsx'

/** A sign-in without a password; the browser offers the passkeys that it has. */
export function PasskeyButton({ onDone }: { onDone: () => Promise<void> }) {
  const { t } = useTranslation()
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await answered(portal.POST('/passkeys:options'))
      const credential = await signWithPasskey(options)
      return answered(portal.POST('/sessions:passkey', { body: { credential } }))
    },
    onSuccess: onDone,
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
      {signIn.error && <Failing error={signIn.error} title={t('states.rejected')} />}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={16} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('links.passkey')}
      </Button>
    </div>
  )
}
