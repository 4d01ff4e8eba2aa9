import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { CopyField } from '../../parts/copy.tsx'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { useAction } from '../../parts/use_action.ts'
import { useToken } from './token.ts'

/**
 * Makes the account whose address the link of a mail proves (D-134). A button does it, since a
 * program that looks at links in mails would use up a link that works when it is opened.
 */
export function ConfirmPage() {
  const { t } = useTranslation()
  const token = useToken()
  const confirming = useAction({
    act: () => answered(portal.registrations.confirm({ token })),
  })
  const { data, isPending, press } = confirming
  const lead = data ? t('entrance.key_lead', { name: data.tenant.name }) : t('mailed.confirm_lead')
  return (
    <Entrance name="confirm" lead={lead}>
      <div className={styles['form']}>
        <NotDone of={confirming} />
        {data ? (
          <>
            <strong role="status">{t('entrance.key_title')}</strong>
            <CopyField label={t('account.key')} text={data.api_key} />
            <Button component={Link} to="/first-steps">
              {t('actions.continue')}
            </Button>
          </>
        ) : (
          <Button loading={isPending} onClick={() => press()}>
            {t('mailed.confirm')}
          </Button>
        )}
      </div>
    </Entrance>
  )
}
