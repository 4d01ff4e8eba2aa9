import { IconTestPipe } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Backtest } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Status, When } from '../../parts/values.tsx'
import { ControlsTabs } from '../controls/controls_tabs.tsx'
import { CreateBacktest } from './create_backtest.tsx'
import { changeOf } from './proposals.ts'

function readBacktests(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.backtests.list(query))
}

const sumOf = (rows: readonly { number: number }[]): number =>
  rows.reduce((sum, { number }) => sum + number, 0)

/** Changes of controls that were tried on past decisions. */
export function Backtests() {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<Backtest>[] = [
    {
      title: t('backtests.change'),
      cell: ({ proposal }) => {
        const kind = changeOf(proposal)
        return kind === undefined ? t('backtests.several') : t(`controls.kinds.${kind}`)
      },
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('backtests.evaluated'),
      isFigure: true,
      cell: ({ result }) => String(result.evaluated),
    },
    {
      title: t('controls.would_decline'),
      isFigure: true,
      cell: ({ result }) => String(sumOf(result.would_decline)),
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  return (
    <Page
      name="controls"
      lead={t('backtests.lead')}
      actions={may('createBacktest') && <CreateBacktest />}
    >
      <ControlsTabs present="backtests" />
      <Panel title={t('controls.backtests')} flush>
        <Paged
          label={t('controls.backtests')}
          queryKey={['backtests']}
          read={readBacktests}
          columns={columns}
          to={({ id }) => `/controls/backtests/${id}`}
          empty={
            <Empty
              icon={IconTestPipe}
              title={t('backtests.none')}
              text={t('backtests.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}
