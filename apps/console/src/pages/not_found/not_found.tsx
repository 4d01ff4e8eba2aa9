import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <main>
      <Page name="not_found" lead={t('states.not_found')}>
        <Anchor component={Link} to="/home">
          {t('pages.home')}
        </Anchor>
      </Page>
    </main>
  )
}
