import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import type { Settings } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { ResponderPanel } from './responder.tsx'
import { Group } from './setting_rows.tsx'
import { GROUPS } from './settings_table.ts'

/** How the program works for this organization; each setting with its meaning and its unit. */
export function SettingsPage() {
  const { t } = useTranslation()
  const { data: session } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: () => answered(issuing.GET('/tenantsettings')),
  })
  const lead = t('settings.lead', { name: session?.tenant?.name ?? '' })
  return (
    <Page name="settings" lead={lead}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={320} />}
      {data && <Loaded settings={data} />}
    </Page>
  )
}

function Loaded({ settings }: { settings: Settings }) {
  return (
    <>
      {GROUPS.map((group) => (
        <Group key={group.name} group={group} settings={settings} />
      ))}
      <ResponderPanel responder={settings.responder} currency={settings.default_currency} />
    </>
  )
}
