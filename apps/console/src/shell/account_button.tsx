import { type ComponentPropsWithRef, forwardRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './shell.module.css'

type AccountButtonProps = ComponentPropsWithRef<'button'> & { email: string }

/** The first letter of who has signed in. */
export const AccountButton = forwardRef<HTMLButtonElement, AccountButtonProps>(
  function AccountButton({ email, className, ...rest }, ref) {
    const { t } = useTranslation()
    return (
      <button
        ref={ref}
        type="button"
        aria-label={t('shell.more')}
        aria-haspopup="menu"
        // The menu that it opens has a class for it too.
        className={`${styles['avatar']} ${className ?? ''}`}
        {...rest}
      >
        {/\p{L}/u.exec(email)?.[0].toUpperCase()}
      </button>
    )
  },
)
