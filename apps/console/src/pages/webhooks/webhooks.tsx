import { IconWebhook } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Empty } from '../../parts/empty.tsx'
import { useHookColumns } from '../../parts/hooks/hook_state.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ReceiverList } from '../receivers/list.tsx'
import { TryIt } from '../receivers/try_it.tsx'
import { CreateWebhook } from './create_webhook.tsx'

function readWebhooks(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.webhooks.list(query))
}

/** Servers of the client that receive events. */
export function Webhooks() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Page
      name="webhooks"
      lead={t('webhooks.lead')}
      actions={
        <>
          {may('createWebhookReceiver') && <TryIt />}
          {may('createWebhook') && <CreateWebhook />}
        </>
      }
    >
      <Panel title={t('webhooks.all')} flush>
        <Paged
          label={t('pages.webhooks')}
          queryKey={['webhooks', 'list']}
          read={readWebhooks}
          columns={useHookColumns()}
          isNamed
          to={({ id }) => `/webhooks/${id}`}
          empty={
            <Empty icon={IconWebhook} title={t('webhooks.none')} text={t('webhooks.none_text')} />
          }
        />
      </Panel>
      <ReceiverList />
    </Page>
  )
}
