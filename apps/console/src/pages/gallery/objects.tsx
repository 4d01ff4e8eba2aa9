import { useTranslation } from 'react-i18next'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Moment, Timeline } from '../../parts/timeline.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'

const AT = '2026-11-25T08:30:00.000Z'

/** The regions of an object's page: its history and its facts. */
export function ObjectParts() {
  const { t } = useTranslation()
  const moments: Moment[] = [
    { id: '1', at: AT, title: <Code>CARD_STATUS_CHANGE</Code>, text: 'ACTIVE', isEvent: true },
    { id: '2', at: AT, title: t('history.operations.changeCardStatus'), text: t('history.you') },
    { id: '3', at: AT, title: t('history.operations.createCard') },
  ]
  return (
    <Columns
      facts={
        <Panel title={t('cards.facts')}>
          <Facts
            rows={[
              [t('fields.status'), <Status key="1">ACTIVE</Status>],
              [t('fields.balance'), <Money key="2" amount={2344.51} currency="AED" />],
              [t('fields.created'), <When key="3" at={AT} />],
              [t('fields.id'), <Code key="4">019aba2f-3c1e-7d42-9b7a-52d1c4f0a9be</Code>],
            ]}
          />
        </Panel>
      }
    >
      <Panel title={t('gallery.sections.objects')}>
        <Timeline label={t('history.title')} moments={moments} />
      </Panel>
    </Columns>
  )
}
