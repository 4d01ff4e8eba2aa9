import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import styles from '../../parts/entrance.module.css'
import { SignInFault } from './fault.tsx'

type CodeFormProps = { challenge: string; onDone: () => Promise<void> }

/** The second step of a sign-in. */
export function CodeForm({ challenge, onDone }: CodeFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { code: '' } })
  const field = useRef<HTMLInputElement>(null)
  // The form of the password, which had the focus, is gone.
  useEffect(() => field.current?.focus(), [])
  const verify = useMutation({
    mutationFn: ({ code }: typeof form.values) =>
      answered(portal.POST('/sessions:verify', { body: { challenge, code: code.trim() } })),
    onSuccess: onDone,
  })
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit((values) => verify.mutate(values))}
      aria-label={t('pages.sign_in')}
    >
      {verify.error && <SignInFault error={verify.error} wrong={t('account.code_wrong')} />}
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
    </form>
  )
}
