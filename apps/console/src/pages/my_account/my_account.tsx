import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'
import { Totp } from './totp.tsx'

/** How a member signs in, and where they have (D-136, D-140). */
export function MyAccount() {
  const { t } = useTranslation()
  const { data: session } = useSession()
  return (
    <Page name="my_account" lead={<bdi>{session?.member.email}</bdi>}>
      {session?.second_factor_required && (
        <Notice tone="warn" title={t('me.required')}>
          {t('me.required_text')}
        </Notice>
      )}
      <Totp />
      <Passkeys />
      {!session?.second_factor_required && <Sessions />}
    </Page>
  )
}
