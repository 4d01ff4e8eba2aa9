import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { PasswordField } from '../../parts/password_field.tsx'

type OwnPasswordProps = {
  value: string
  onChange: (value: string) => void
  /** Just after the sign-in the first factor of who needs one takes none (D-1001). */
  mayBeFirst?: boolean
}

/** The member's own password, which confirms that it is they who change a factor. */
export function OwnPassword({ value, onChange, mayBeFirst = false }: OwnPasswordProps) {
  const { t } = useTranslation()
  const { data: session } = useSession()
  const isOptional = mayBeFirst && session?.second_factor_required === true
  return (
    <PasswordField
      label={t('account.password')}
      description={isOptional ? t('me.password_hint') : undefined}
      autoComplete="current-password"
      required={!isOptional}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** A field that was left empty is not sent. */
export const given = (password: string) => (password === '' ? {} : { password })
