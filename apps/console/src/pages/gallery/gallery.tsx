import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { ActionParts } from './actions.tsx'
import { ChartParts } from './charts.tsx'
import { EntranceParts } from './entrance.tsx'
import { FieldParts } from './fields.tsx'
import { MachineParts } from './machine.tsx'
import { ObjectParts } from './objects.tsx'
import { StateParts } from './states.tsx'
import { TableParts } from './tables.tsx'
import { ValueParts } from './values.tsx'

/** Every shared part of the console; a section for each family. Nothing here calls the API. */
export function Gallery() {
  const { t } = useTranslation()
  return (
    <Page name="gallery" lead={t('gallery.lead')}>
      <ActionParts />
      <TableParts />
      <ValueParts />
      <StateParts />
      <FieldParts />
      <ObjectParts />
      <MachineParts />
      <ChartParts />
      <EntranceParts />
    </Page>
  )
}
