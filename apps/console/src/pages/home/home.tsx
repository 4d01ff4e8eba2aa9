import { Anchor, Button } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { Empty } from '../../parts/empty.tsx'
import { HealthPanel } from '../../parts/health.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Tiles } from '../../parts/tile.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'
import { AuthorizationTiles } from './authorization_tiles.tsx'
import { Day } from './day.tsx'
import { recentQuery, SHOWN } from './queries.ts'
import { DeliveriesTile, FundingTile } from './service_tiles.tsx'

/** How the program does today, what has happened last, and where to go from here. */
export function Home() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error, refetch } = useQuery(recentQuery)
  const isNew = data?.data.length === 0
  const pay = may('simulateAuthorization') && !isNew && (
    <Button component={Link} to="/simulator" variant="default">
      {t('pages.simulator')}
    </Button>
  )
  return (
    <Page name="home" lead={t('home.lead')} actions={pay}>
      {isNew ? (
        <Beginning />
      ) : (
        <>
          <Tiles>
            {may('getAuthorizationStatistics') && <AuthorizationTiles />}
            {may('listWebhooks') && <DeliveriesTile />}
            {may('listFunding') && <FundingTile />}
          </Tiles>
          {may('getAuthorizationStatistics') && <Day />}
          <Panel title={t('home.recent')} actions={<All />} flush>
            <TransactionTable rows={data?.data} error={error} retry={refetch} expected={SHOWN} />
          </Panel>
          {may('getHealth') && <HealthPanel />}
        </>
      )}
    </Page>
  )
}

function All() {
  const { t } = useTranslation()
  return (
    <Anchor component={Link} to="/transactions" size="sm">
      {t('home.all')}
    </Anchor>
  )
}

/** The page of an organization that has no transaction yet. */
function Beginning() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Panel title={t('home.begin')} flush>
      <Empty
        icon={IconBolt}
        title={t('home.begin_title')}
        text={t('home.begin_text')}
        action={
          may('createUser') && (
            <Button component={Link} to="/first-steps">
              {t('pages.first_steps')}
            </Button>
          )
        }
      />
    </Panel>
  )
}
