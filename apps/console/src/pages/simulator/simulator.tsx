import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { useCards } from './cards.ts'
import { Desk } from './desk.tsx'
import { NoCards } from './no_cards.tsx'
import { SimulatorTabs } from './simulator_tabs.tsx'

/** Sends what shops send, and shows what the engine decides (D-144). */
export function Simulator() {
  const { t } = useTranslation()
  const choice = useCards()
  const { cards, isSearch, isPending, error, refetch } = choice
  // A search that finds nothing leaves the form, and what was sent before it, where they are.
  const isThere = cards.length > 0 || isSearch
  return (
    <Page name="simulator" lead={t('simulator.lead')}>
      <SimulatorTabs present="terminal" />
      {error && <Failing error={error} retry={refetch} />}
      {isPending && !isThere && (
        <Skeleton height={620} role="status" aria-label={t('states.loading')} />
      )}
      {!isPending && !isThere && !error && <NoCards />}
      {isThere && <Desk choice={choice} />}
    </Page>
  )
}
