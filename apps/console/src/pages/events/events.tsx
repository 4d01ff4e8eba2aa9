import { Button } from '@mantine/core'
import { IconActivity, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Event } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import { KINDS, subjectOf, summaryOf } from '../../parts/issuing/event_kinds.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { EventDetails } from './event_details.tsx'
import styles from './events.module.css'
import { type Feed, useFeed } from './feed.ts'

const NAMES = ['kind', 'text'] as const
/** Events that are drawn at first, and with each press of the button. */
const STEP = 50

/** Everything that happened, as it happens. */
export function Events() {
  const { t } = useTranslation()
  const feed = useFeed()
  const { values, set } = useFilters(NAMES)
  const { kind, text } = values
  const [most, setMost] = useState(STEP)
  const shown = feed.events?.filter(
    (event) =>
      (kind === undefined || event.event === kind) &&
      (text === undefined || JSON.stringify(event).includes(text)),
  )
  return (
    <Page name="events" lead={t('events.lead')} actions={<Tail feed={feed} />}>
      <Panel title={feed.isWhole ? t('events.all') : t('events.new')} flush>
        <Filters>
          <FilterSelect
            label={t('events.kind')}
            all={t('filters.all')}
            data={KINDS}
            value={kind}
            onChange={(value) => set('kind', value)}
          />
          <FilterText
            label={t('events.text')}
            value={text}
            onChange={(value) => set('text', value)}
          />
        </Filters>
        <Listing
          label={t('pages.events')}
          columns={useEventColumns()}
          rows={shown?.slice(0, most)}
          error={feed.error}
          expected={8}
          filters={values}
          empty={
            <Empty icon={IconActivity} title={t('events.none')} text={t('events.none_text')} />
          }
        />
        {shown && shown.length > most && (
          <div className={styles['more']}>
            <Button variant="default" size="xs" onClick={() => setMost(most + STEP)}>
              {t('actions.more')}
            </Button>
          </div>
        )}
      </Panel>
    </Page>
  )
}

/** Whether events arrive, and the button that stops and starts them. */
function Tail({ feed: { isLive, pause, resume } }: { feed: Feed }) {
  const { t } = useTranslation()
  return (
    <div className={styles['tail']}>
      <span role="status" className={styles['state']} data-live={isLive}>
        {isLive ? t('events.live') : t('events.paused')}
      </span>
      <Button
        variant="default"
        leftSection={
          isLive ? (
            <IconPlayerPause size={16} aria-hidden />
          ) : (
            <IconPlayerPlay size={16} aria-hidden />
          )
        }
        onClick={isLive ? pause : resume}
      >
        {isLive ? t('events.pause') : t('events.resume')}
      </Button>
    </div>
  )
}

function useEventColumns(): Column<Event>[] {
  const { t } = useTranslation()
  return [
    { title: t('events.kind'), cell: ({ event }) => <Code>{event}</Code> },
    { title: t('events.what'), cell: (event) => <bdi dir="ltr">{summaryOf(event)}</bdi> },
    { title: t('events.subject'), cell: (event) => <Subject event={event} /> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    { title: t('events.details'), cell: (event) => <EventDetails event={event} />, isAction: true },
  ]
}

function Subject({ event }: { event: Event }) {
  const subject = subjectOf(event)
  if (subject === undefined) return <Code>–</Code>
  return (
    <ObjectLink to={subject.to}>
      <Code>{subject.id.slice(-12)}</Code>
    </ObjectLink>
  )
}
