import { useQuery } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { SettingsChanges, Tenant } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Group } from '../../parts/settings/setting_rows.tsx'
import { GROUPS } from '../../parts/settings/settings_table.ts'
import { Code } from '../../parts/values.tsx'
import { ActFor } from './act_for.tsx'
import { Funding } from './funding.tsx'
import { Products } from './products.tsx'
import { TenantKeys } from './tenant_keys.tsx'

const readTenant = (id: string) => answered(issuing.operator.getTenant(id))

/** One tenant: its funds, products, keys and settings, as the operator sees and changes them. */
export function TenantPage() {
  return (
    <ObjectPage name="tenants" read={readTenant}>
      {(tenant) => <Loaded key={tenant.id} tenant={tenant} />}
    </ObjectPage>
  )
}

function Loaded({ tenant }: { tenant: Tenant }) {
  const may = useMay()
  const { id, name, settings } = tenant
  const { data: usage } = useQuery({
    queryKey: ['usage', id],
    queryFn: () => answered(issuing.operator.getUsage(id)),
  })
  const read = () => answered(issuing.operator.getSettings(id))
  const save = (body: SettingsChanges, match: Match) =>
    answered(issuing.operator.updateSettings(id, body, match))
  return (
    <Page
      name="tenants"
      title={<bdi>{name}</bdi>}
      lead={<Code>{id}</Code>}
      actions={<ActFor tenant={tenant} />}
    >
      <Funding tenant={tenant} />
      <Products tenant_id={id} />
      <TenantKeys tenant_id={id} />
      {GROUPS.map((group) => (
        <Group
          key={group.name}
          group={group}
          settings={settings}
          read={read}
          usage={usage}
          save={may('updateSettingsAsOperator') ? save : undefined}
          isOperator
        />
      ))}
    </Page>
  )
}
