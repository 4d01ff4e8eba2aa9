import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { codeOf } from '../../parts/typed_text.ts'
import { useAction } from '../../parts/use_action.ts'
import { SignInFault } from './fault.tsx'

type CodeFormProps = {
  challenge: string
  onDone: () => Promise<void>
  /** Returns to the first step, as another member or with another factor. */
  onBack: () => void
}

/** The second step of a sign-in. */
export function CodeForm({ challenge, onDone, onBack }: CodeFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { code: '' } })
  const field = useRef<HTMLInputElement>(null)
  // The form of the password, which had the focus, is gone.
  useEffect(() => field.current?.focus(), [])
  const verify = useAction({
    act: (_key, { code }: typeof form.values) =>
      answered(portal.sessions.verifySignIn({ challenge, code: codeOf(code) })),
    onDone,
  })
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit((values) => verify.press(values))}
      onInput={verify.hold}
      aria-label={t('pages.sign_in')}
    >
      <SignInFault of={verify} wrong={t('account.code_wrong')} />
      <TextInput
        label={t('account.code')}
        description={t('account.code_hint')}
        dir="ltr"
        autoComplete="one-time-code"
        ref={field}
        required
        withAsterisk={false}
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={verify.isPending}>
        {t('account.verify')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onBack} disabled={verify.isPending}>
        {t('account.back')}
      </Button>
    </form>
  )
}
