import { useTranslation } from 'react-i18next'
import parts from '../../parts/parts.module.css'
import { ActionParts } from './actions.tsx'
import { ChartParts } from './charts.tsx'
import { EntranceParts } from './entrance.tsx'
import { FieldParts } from './fields.tsx'
import { MachineParts } from './machine.tsx'
import { ObjectParts } from './objects.tsx'
import { StateParts } from './states.tsx'
import { TableParts } from './tables.tsx'
import { ValueParts } from './values.tsx'

/**
 * Every shared part of the console; a section for each family. Nothing here calls the API. It is a
 * page of `npm run console` alone, at /console/parts.
 */
export function Gallery() {
  const { t } = useTranslation()
  return (
    <div className={parts['page']}>
      <header className={parts['head']}>
        <div>
          <h1 className={parts['title']}>{t('gallery.title')}</h1>
          <p className={parts['lead']}>{t('gallery.lead')}</p>
        </div>
      </header>
      <ActionParts />
      <TableParts />
      <ValueParts />
      <StateParts />
      <FieldParts />
      <ObjectParts />
      <MachineParts />
      <ChartParts />
      <EntranceParts />
    </div>
  )
}
