import { useTranslation } from 'react-i18next'
import { Brand } from '../../parts/brand.tsx'
import { Exhibit } from '../../parts/exhibit.tsx'
import { Panel } from '../../parts/panel.tsx'

/** What those see who have not signed in. */
export function EntranceParts() {
  const { t } = useTranslation()
  return (
    <Panel title={t('gallery.sections.entrance')} actions={<Brand />} flush>
      <Exhibit />
    </Panel>
  )
}
