import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A field whose text can be shown. Mantine's own does not tell a reader of the screen its fault. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('account.show'), tabIndex: 0 }}
      aria-invalid={props.error !== undefined && props.error !== null && props.error !== false}
      {...props}
    />
  )
}
