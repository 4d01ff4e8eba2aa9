import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { PasswordField } from '../../parts/password_field.tsx'
import { useAction } from '../../parts/use_action.ts'
import { SignInFault } from './fault.tsx'

type PasswordFormProps = {
  /** The address of a member who signs in again. */
  email?: string
  onDone: () => Promise<void>
  onChallenge: (challenge: string) => void
}

/** The first step of a sign-in. */
export function PasswordForm({ email = '', onDone, onChallenge }: PasswordFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { email, password: '' } })
  const signIn = useAction({
    act: (_key, body: typeof form.values) => answered(portal.sessions.signIn(body)),
    onDone: (answer) => ('challenge' in answer ? onChallenge(answer.challenge) : onDone()),
  })
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit((values) => signIn.press(values))}
      onInput={signIn.hold}
      aria-label={t('pages.sign_in')}
    >
      <SignInFault of={signIn} wrong={t('account.wrong')} />
      <TextInput
        type="email"
        label={t('account.email')}
        autoComplete="username"
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('account.password')}
        autoComplete="current-password"
        required
        data-autofocus={email !== '' || undefined}
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={signIn.isPending}>
        {t('account.sign_in')}
      </Button>
    </form>
  )
}
