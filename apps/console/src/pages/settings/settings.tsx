import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay, useTenantName } from '../../api/session.ts'
import type { Settings, Usage } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { Group } from '../../parts/settings/setting_rows.tsx'
import { GROUPS } from '../../parts/settings/settings_table.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { readSettings, updateSettings } from './calls.ts'
import { ResponderPanel } from './responder.tsx'

/** How the program works for this organization; each setting with its meaning and its unit. */
export function SettingsPage() {
  const { t } = useTranslation()
  const name = useTenantName() ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: readSettings,
  })
  const { data: usage } = useQuery({
    queryKey: ['usage'],
    queryFn: () => answered(issuing.settings.getUsage()),
  })
  const lead = t('settings.lead', { name })
  return (
    <Page name="settings" lead={lead}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={320} />}
      {data && <Loaded settings={data} usage={usage} />}
    </Page>
  )
}

function Loaded({ settings, usage }: { settings: Settings; usage: Usage | undefined }) {
  const may = useMay()
  return (
    <>
      {GROUPS.map((group) => (
        <Group
          key={group.name}
          group={group}
          settings={settings}
          usage={usage}
          read={readSettings}
          save={may('updateSettings') ? updateSettings : undefined}
        />
      ))}
      <ResponderPanel settings={settings} />
    </>
  )
}
