import { IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Mail } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { When } from '../../parts/values.tsx'
import { ReadMail } from './read_mail.tsx'

const NAMES = ['to'] as const

/** The mails that a sandbox has kept in place of sending them (D-142). */
export function Mails() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const read = (after: string | undefined) => {
    const query = { ...values, ...(after !== undefined && { after }) }
    return answered(issuing.operator.listMails(query))
  }
  const columns: Column<Mail>[] = [
    { title: t('operator.mails.subject'), cell: (mail) => <ReadMail mail={mail} /> },
    { title: t('operator.mails.to'), cell: ({ to }) => <bdi>{to}</bdi> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  return (
    <Page name="mails" lead={t('operator.mails.lead')}>
      <Panel title={t('operator.mails.all')} flush>
        <Filters>
          <FilterText
            label={t('operator.mails.to')}
            value={values.to}
            onChange={(value) => set('to', value)}
            placeholder="layla@palm.example"
          />
        </Filters>
        <Paged
          label={t('pages.mails')}
          queryKey={['mails', values]}
          read={read}
          columns={columns}
          filters={values}
          empty={
            <Empty
              icon={IconMail}
              title={t('operator.mails.none')}
              text={t('operator.mails.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}
