import { Anchor, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import type { Registered } from '../../api/types.ts'
import { faultsOfAccount } from '../../parts/account_faults.ts'
import styles from '../../parts/entrance.module.css'
import { Failing } from '../../parts/failing.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { PasswordField } from '../../parts/password_field.tsx'
import { useAction } from '../../parts/use_action.ts'

type SignUpFormProps = {
  onMade: (made: Registered) => void
  /** In live the account is made once the link in a mail was opened (D-134). */
  onMailed: () => void
}

const isMade = (answer: object): answer is Registered => 'api_key' in answer

export function SignUpForm({ onMade, onMailed }: SignUpFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { email: '', password: '', organization: '' } })
  const signUp = useAction({
    act: (_key, body: typeof form.values) => answered(portal.registrations.create(body)),
    onDone: (answer) => (isMade(answer) ? onMade(answer) : onMailed()),
    onFail: (error) => form.setErrors(error instanceof Problem ? faultsOf(error) : {}),
  })
  const faultsOf = ({ code, fields }: Problem) =>
    code === 'email_taken' ? { email: t('entrance.taken') } : faultsOfAccount(t, fields)
  const isClosed = signUp.error instanceof Problem && signUp.error.code === 'sign_up_closed'
  const isExplained = Object.keys(form.errors).length > 0
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit((values) => signUp.press(values))}
      aria-label={t('pages.sign_up')}
    >
      {isClosed && (
        <Failing
          error={new Problem(403, { detail: t('entrance.closed') })}
          title={t('states.rejected')}
        />
      )}
      {!isClosed && !isExplained && <NotDone of={signUp} />}
      <TextInput
        type="email"
        label={t('account.email')}
        autoComplete="email"
        required
        withAsterisk={false}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('account.password')}
        description={t('account.password_hint')}
        autoComplete="new-password"
        required
        {...form.getInputProps('password')}
      />
      <TextInput
        label={t('entrance.organization')}
        autoComplete="organization"
        required
        withAsterisk={false}
        {...form.getInputProps('organization')}
      />
      <Button type="submit" loading={signUp.isPending}>
        {t('entrance.create')}
      </Button>
      <p className={styles['other']}>
        {t('entrance.have_account')}{' '}
        <Anchor component={Link} to="/sign-in">
          {t('pages.sign_in')}
        </Anchor>
      </p>
    </form>
  )
}
