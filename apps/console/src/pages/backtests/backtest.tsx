import { Progress } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Backtest } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Block } from '../../parts/block.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { ControlFields } from '../controls/fields.tsx'
import { KINDS } from '../controls/kinds.ts'
import styles from './backtests.module.css'
import { changeOf, typedOfProposal } from './proposals.ts'
import { Result } from './result.tsx'

const POLL_MS = 500

const readBacktest = (id: string) => answered(issuing.backtests.get(id))

/** One backtest: how far it is, what would turn, and how the change is applied. */
export function BacktestPage() {
  return (
    <ObjectPage
      name="controls"
      read={readBacktest}
      poll={({ status }) => status === 'RUNNING' && POLL_MS}
    >
      {(backtest) => <Loaded key={backtest.id} backtest={backtest} />}
    </ObjectPage>
  )
}

function Loaded({ backtest }: { backtest: Backtest }) {
  const { t } = useTranslation()
  const { id, status, progress, error } = backtest
  const text = t('backtests.progress', { percent: progress.percent, read: progress.read })
  return (
    <Page
      name="controls"
      title={t('backtests.one')}
      status={status}
      lead={<Code>{id}</Code>}
      actions={<BacktestActions backtest={backtest} />}
    >
      {status === 'RUNNING' && (
        <div className={styles['progress']}>
          <span role="status">{text}</span>
          <Progress value={progress.percent} aria-label={text} />
        </div>
      )}
      {error !== undefined && (
        <Notice tone="bad" title={t('backtests.failed')}>
          {error}
        </Notice>
      )}
      <Columns facts={<BacktestFacts backtest={backtest} />}>
        <Result result={backtest.result} />
        <Panel title={t('backtests.change')}>
          <Block label={t('backtests.change')} text={JSON.stringify(backtest.proposal, null, 2)} />
        </Panel>
      </Columns>
    </Page>
  )
}

function BacktestActions({ backtest: { id, status, proposal } }: { backtest: Backtest }) {
  const { t } = useTranslation()
  const may = useMay()
  const kind = changeOf(proposal)
  return (
    <>
      {status === 'RUNNING' && may('cancelBacktest') && (
        <Act
          label={t('backtests.cancel')}
          text={t('backtests.cancel_text')}
          act={(key) => answered(issuing.backtests.cancel(id, { idempotencyKey: key }))}
          isDangerous
        />
      )}
      {status === 'COMPLETED' && kind !== undefined && may(KINDS[kind].operations.create) && (
        <Apply proposal={proposal} />
      )}
    </>
  )
}

/** Makes the control that was tried; on its page it is linked to products. */
function Apply({ proposal }: Pick<Backtest, 'proposal'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const kind = changeOf(proposal) ?? 'velocity'
  const [typed, setTyped] = useState(() => typedOfProposal(proposal))
  return (
    <Act
      label={t('backtests.apply')}
      text={t('backtests.apply_text')}
      submit={t('controls.create_submit')}
      act={(key) => KINDS[kind].create(typed, key)}
      onDone={({ id }) => void navigate({ to: `/controls/${kind}/${id}` })}
      isMain
    >
      <ControlFields kind={kind} typed={typed} onChange={setTyped} />
    </Act>
  )
}

function BacktestFacts({ backtest }: { backtest: Backtest }) {
  const { t } = useTranslation()
  const { from, to, card_product_id: product, progress, created, completed, expires } = backtest
  return (
    <Panel title={t('controls.facts')}>
      <Facts
        rows={[
          [
            t('cards.product'),
            product === undefined ? undefined : (
              <ObjectLink key="product" to={`/card-products/${product}`}>
                <Code>{product}</Code>
              </ObjectLink>
            ),
          ],
          [t('backtests.from'), <When key="from" at={from} />],
          [t('backtests.to'), <When key="to" at={to} />],
          [t('backtests.read'), <Code key="read">{String(progress.read)}</Code>],
          [t('fields.created'), <When key="created" at={created} />],
          [t('backtests.ended'), completed ? <When key="ended" at={completed} /> : undefined],
          [t('backtests.kept'), <When key="kept" at={expires} />],
        ]}
      />
    </Panel>
  )
}
