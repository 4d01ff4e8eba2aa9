import { IconDeviceLaptop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import type { SessionOfMember } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { browserOf } from './browser_names.ts'

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(portal.sessions.list(query))
}

/** Sessions of the member, one row for each browser. */
export function Sessions() {
  const { t } = useTranslation()
  const columns: Column<SessionOfMember>[] = [
    {
      title: t('me.browser'),
      cell: ({ user_agent }) => (
        <bdi title={user_agent}>{browserOf(user_agent) ?? t('me.unknown_browser')}</bdi>
      ),
    },
    { title: t('me.address'), cell: ({ address }) => <Code>{address ?? '–'}</Code> },
    { title: t('fields.last_used'), cell: ({ last_used }) => <When at={last_used} /> },
    { title: t('fields.expires'), cell: ({ expires }) => <When at={expires} /> },
    {
      title: t('me.end'),
      isAction: true,
      cell: (session) => (session.current ? t('me.current') : <End session={session} />),
    },
  ]
  return (
    <Panel title={t('me.sessions')} flush>
      <Paged
        label={t('me.sessions')}
        queryKey={['sessions']}
        read={read}
        columns={columns}
        isNamed
        expected={1}
        empty={<Empty icon={IconDeviceLaptop} title={t('me.sessions')} text={t('none')} />}
      />
    </Panel>
  )
}

function End({ session: { id, user_agent } }: { session: SessionOfMember }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('me.end')}
      of={browserOf(user_agent) ?? t('me.unknown_browser')}
      text={t('me.end_text')}
      act={() => answered(portal.sessions.end(id))}
      isDangerous
    />
  )
}
