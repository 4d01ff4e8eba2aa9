import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { faultOfPassword } from '../../parts/account_faults.ts'
import styles from '../../parts/entrance.module.css'
import { NotDone } from '../../parts/not_done.tsx'
import { PasswordField } from '../../parts/password_field.tsx'
import { useAction } from '../../parts/use_action.ts'

type NewPasswordProps = {
  submit: string
  act: (password: string) => Promise<unknown>
  onDone: () => unknown
  /** Further choices, below the password. */
  children?: ReactNode
}

/** A form that takes a password which is new. */
export function NewPassword({ submit, act, onDone, children }: NewPasswordProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const acting = useAction({ act: () => act(password), onDone })
  const told = acting.error instanceof Problem ? acting.error.fields['password'] : undefined
  const fault = told === undefined ? undefined : faultOfPassword(t, told)
  const send = (event: FormEvent) => {
    event.preventDefault()
    acting.press()
  }
  return (
    <form onSubmit={send} className={styles['form']}>
      {fault === undefined && <NotDone of={acting} />}
      <PasswordField
        label={t('account.password')}
        description={t('account.password_hint')}
        autoComplete="new-password"
        required
        error={fault}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {children}
      <Button type="submit" loading={acting.isPending}>
        {submit}
      </Button>
    </form>
  )
}
