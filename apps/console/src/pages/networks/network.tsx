import { IconKey, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../api/types.ts'
import { Ago } from '../../parts/ago.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Status, When } from '../../parts/values.tsx'
import { POLL_MS, readNetwork, standingOf } from './calls.ts'
import { ExchangeKeys } from './exchange_keys.tsx'
import { NetworkFacts } from './network_facts.tsx'

/** One card network: its connections, keys and settings. */
export function NetworkPage() {
  return (
    <ObjectPage name="networks" read={readNetwork} poll={() => POLL_MS}>
      {(network) => <Loaded network={network} />}
    </ObjectPage>
  )
}

function Loaded({ network }: { network: Network }) {
  return (
    <Page
      name="networks"
      title={<bdi dir="ltr">{network.name}</bdi>}
      status={standingOf(network)}
      actions={<ExchangeKeys network={network} />}
    >
      <Faults network={network} />
      <Columns facts={<NetworkFacts network={network} />}>
        <Connections network={network} />
        <Keys network={network} />
        <Exchanges network={network} />
      </Columns>
    </Page>
  )
}

/** Sentences about what needs a person. */
function Faults({ network }: { network: Network }) {
  const { t } = useTranslation()
  const { mac_failures } = network
  return (
    <>
      {standingOf(network) === 'CONNECTED' && (
        <Notice tone="warn" title={t('operator.networks.not_signed_on')} />
      )}
      {mac_failures > 0 && (
        <Notice
          tone="bad"
          title={t('operator.networks.mac_failing', { n: countText(mac_failures) })}
        >
          {t('operator.networks.mac_failing_text')}
        </Notice>
      )}
    </>
  )
}

type Connection = Network['connections'][number]

function Connections({ network: { connections } }: { network: Network }) {
  const { t } = useTranslation()
  const columns: Column<Connection>[] = [
    { title: t('operator.networks.peer'), cell: ({ address }) => <Code>{address}</Code> },
    {
      title: t('fields.status'),
      cell: ({ signed_on }) => <Status>{signed_on ? 'SIGNED_ON' : 'CONNECTED'}</Status>,
    },
    { title: t('operator.networks.opened'), cell: ({ opened }) => <Ago at={opened} /> },
    {
      title: t('operator.networks.last_message'),
      cell: ({ last_message: at }) => (at === undefined ? '–' : <Ago at={at} />),
    },
    {
      title: t('operator.networks.process'),
      cell: ({ process_id }) => <Code>{process_id.slice(-4)}</Code>,
    },
  ]
  return (
    <Panel title={t('operator.networks.connections')} flush>
      <Listing
        label={t('operator.networks.connections')}
        columns={columns}
        rows={connections.map((one) => ({ ...one, id: `${one.process_id} ${one.address}` }))}
        empty={
          <Empty
            isSmall
            icon={IconPlugConnectedX}
            title={t('operator.networks.no_connections')}
            text={t('operator.networks.no_connections_text')}
          />
        }
      />
    </Panel>
  )
}

type Key = Network['keys'][number]

function Keys({ network: { keys } }: { network: Network }) {
  const { t } = useTranslation()
  // They come newest first.
  const isNewest = (key: Key) => keys.find(({ use }) => use === key.use) === key
  const columns: Column<{ key: Key }>[] = [
    {
      title: t('operator.networks.use'),
      cell: ({ key }) => t(`operator.networks.uses.${key.use}`),
    },
    {
      title: t('operator.networks.check_value'),
      cell: ({ key }) => <Code>{key.check_value}</Code>,
    },
    { title: t('operator.networks.came'), cell: ({ key }) => <When at={key.created} /> },
    {
      title: t('fields.status'),
      cell: ({ key }) => t(`operator.networks.${isNewest(key) ? 'in_use' : 'before'}`),
    },
  ]
  return (
    <Panel title={t('operator.networks.keys')} flush>
      <Listing
        label={t('operator.networks.keys')}
        columns={columns}
        rows={keys.map((key) => ({ key, id: `${key.use} ${key.created}` }))}
        empty={
          <Empty
            isSmall
            icon={IconKey}
            title={t('operator.networks.no_keys')}
            text={t('operator.networks.no_keys_text')}
          />
        }
      />
    </Panel>
  )
}

function Exchanges({ network: { exchanges, has_keys } }: { network: Network }) {
  const { t } = useTranslation()
  if (!has_keys) return null
  const columns: Column<Network['exchanges'][number]>[] = [
    {
      title: t('operator.networks.use'),
      cell: ({ use }) => t(`operator.networks.uses.${use}`),
    },
    { title: t('fields.status'), cell: ({ state }) => <Status>{state}</Status> },
    { title: t('operator.networks.requested'), cell: ({ created }) => <Ago at={created} /> },
  ]
  return (
    <Panel title={t('operator.networks.exchanges')} flush>
      <Listing
        label={t('operator.networks.exchanges')}
        columns={columns}
        rows={exchanges}
        empty={
          <Empty
            isSmall
            icon={IconKey}
            title={t('operator.networks.no_exchanges')}
            text={t('operator.networks.no_exchanges_text')}
          />
        }
      />
    </Panel>
  )
}
