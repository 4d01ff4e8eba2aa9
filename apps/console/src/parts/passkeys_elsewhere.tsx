import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { namedAddress } from './passkeys.ts'

/** Says that passkeys need an address with a name, and leads to it where one is known. */
export function PasskeysElsewhere() {
  const { t } = useTranslation()
  const address = namedAddress()
  return (
    <>
      {t('account.passkey_address')}{' '}
      {address !== undefined && (
        <Anchor href={address}>{t('account.passkey_open', { host: new URL(address).host })}</Anchor>
      )}
    </>
  )
}
