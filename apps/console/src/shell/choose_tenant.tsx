import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { changeTenant, useMay } from '../api/session.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Waiting } from '../parts/waiting.tsx'

const Search = lazy(async () => ({ default: (await import('./tenant_dialog.tsx')).TenantSearch }))

/** Takes the place of a page of a tenant until a member of the operator's team has chosen one. */
export function ChooseTenant() {
  const { t } = useTranslation()
  const mayList = useMay()('listTenants')
  return (
    <Page name="no_tenant" lead={t(mayList ? 'acting.needed' : 'acting.needed_elsewhere')}>
      {mayList && (
        <Panel title={t('pages.tenants')}>
          <Suspense fallback={<Waiting height={120} />}>
            <Search onChoose={({ id, name }) => changeTenant({ id, name })} present={undefined} />
          </Suspense>
        </Panel>
      )}
    </Page>
  )
}
