import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { CopyField } from '../../parts/copy.tsx'
import styles from '../../parts/entrance.module.css'
import { Entrance } from '../../parts/entrance.tsx'
import { Failing } from '../../parts/failing.tsx'
import { useToken } from './token.ts'

/**
 * Makes the account whose address the link of a mail proves (D-134). A button does it, since a
 * program that looks at links in mails would use up a link that works when it is opened.
 */
export function ConfirmPage() {
  const { t } = useTranslation()
  const token = useToken()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => answered(portal.POST('/registrations:confirm', { body: { token } })),
  })
  const lead = data ? t('account.key_lead', { name: data.tenant.name }) : t('links.confirm_lead')
  return (
    <Entrance name="confirm" lead={lead}>
      <div className={styles['form']}>
        {error && <Failing error={error} title={t('states.rejected')} />}
        {data ? (
          <>
            <strong role="status">{t('account.key_title')}</strong>
            <CopyField label={t('account.key')} text={data.api_key} />
            <Button component={Link} to="/first-steps">
              {t('actions.continue')}
            </Button>
          </>
        ) : (
          <Button loading={isPending} onClick={() => mutate()}>
            {t('links.confirm')}
          </Button>
        )}
      </div>
    </Entrance>
  )
}
