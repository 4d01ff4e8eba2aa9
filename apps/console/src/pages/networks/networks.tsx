import { IconNetwork } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../api/types.ts'
import { Ago } from '../../parts/ago.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Status } from '../../parts/values.tsx'
import { lastMessageOf, networksQuery, pendingOf, standingOf } from './calls.ts'

/** The card networks of NETWORKS_FILE with the state of their connections (D-1030). */
export function Networks() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(networksQuery)
  return (
    <Page name="networks" lead={t('operator.networks.lead')}>
      <Panel title={t('operator.networks.all')} flush>
        <Listing
          label={t('pages.networks')}
          columns={useNetworkColumns()}
          rows={data?.data.map((network) => ({ ...network, id: network.name }))}
          error={error}
          retry={refetch}
          expected={3}
          to={({ name }) => `/networks/${name}`}
          empty={
            <Empty
              icon={IconNetwork}
              title={t('operator.networks.none')}
              text={t('operator.networks.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useNetworkColumns(): Column<Network>[] {
  const { t } = useTranslation()
  return [
    { title: t('operator.networks.name'), cell: ({ name }) => <Code>{name}</Code> },
    {
      title: t('fields.status'),
      cell: (network) => <Status>{standingOf(network)}</Status>,
    },
    {
      title: t('operator.networks.role'),
      cell: ({ role }) => t(`operator.networks.roles.${role}`),
    },
    {
      title: t('operator.networks.connections'),
      isFigure: true,
      cell: ({ connections }) => countText(connections.length),
    },
    {
      title: t('operator.networks.last_message'),
      cell: (network) => {
        const at = lastMessageOf(network)
        return at === undefined ? '–' : <Ago at={at} />
      },
    },
    {
      title: t('operator.networks.mac_failures'),
      isFigure: true,
      cell: ({ mac_failures }) => countText(mac_failures),
    },
    {
      title: t('operator.networks.refused'),
      isFigure: true,
      cell: ({ messages_refused }) => countText(messages_refused),
    },
    {
      title: t('operator.networks.pending'),
      cell: (network) => {
        const [pending] = pendingOf(network)
        return pending === undefined ? null : <Code>{pending.use}</Code>
      },
    },
  ]
}
