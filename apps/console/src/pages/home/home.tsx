import { Button } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { loadTexts } from '../../i18n/i18n.ts'
import { Empty } from '../../parts/empty.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { recentQuery } from './queries.ts'

/** The figures come with their words, behind the frame of the page. */
const Program = lazy(async () => {
  const texts = loadTexts(['program'])
  const page = { default: (await import('./program.tsx')).Program }
  await texts
  return page
})
const HEIGHT = 600

/** How the program does, what has happened last, and where to go from here. */
export function Home() {
  const { t } = useTranslation()
  const may = useMay()
  const { data } = useQuery(recentQuery)
  const isNew = data?.data.length === 0
  const pay = may('simulateAuthorization') && !isNew && (
    <Button component={Link} to="/simulator" variant="default">
      {t('pages.simulator')}
    </Button>
  )
  return (
    <Page name="home" lead={t('home.lead')} actions={pay}>
      {isNew ? (
        <Beginning />
      ) : (
        <Suspense fallback={<Waiting height={HEIGHT} />}>
          <Program />
        </Suspense>
      )}
    </Page>
  )
}

/** The page of an organization that has no transaction yet. */
function Beginning() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Panel title={t('home.begin')} flush>
      <Empty
        icon={IconBolt}
        title={t('home.begin_title')}
        text={t('home.begin_text')}
        action={
          may('createUser') && (
            <Button component={Link} to="/first-steps">
              {t('pages.first_steps')}
            </Button>
          )
        }
      />
    </Panel>
  )
}
