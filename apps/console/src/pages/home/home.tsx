import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'

const SHOWN = 10

/** What has happened last, and where to go from here. */
export function Home() {
  const { t } = useTranslation()
  const may = useMay()
  const recent = useQuery({
    queryKey: ['transactions', 'recent'],
    queryFn: () => answered(issuing.GET('/transactions', { params: { query: { limit: SHOWN } } })),
  })
  const isNew = recent.data?.data.length === 0
  const start = (
    <Button component={Link} to={isNew ? '/first-steps' : '/simulator'} variant="default">
      {isNew ? t('pages.first_steps') : t('pages.simulator')}
    </Button>
  )
  return (
    <Page name="home" lead={t('home.lead')} actions={may('simulateAuthorization') && start}>
      <Panel title={t('home.recent')} flush>
        <TransactionTable
          rows={recent.data?.data}
          error={recent.error}
          retry={recent.refetch}
          expected={SHOWN}
        />
      </Panel>
    </Page>
  )
}
