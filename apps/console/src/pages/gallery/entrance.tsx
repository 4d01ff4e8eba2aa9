import { useTranslation } from 'react-i18next'
import { Brand } from '../../parts/brand.tsx'
import { Exhibit } from '../../parts/exhibit.tsx'
import { Panel } from '../../parts/panel.tsx'

/** Parts of the pages before the sign-in. */
export function EntranceParts() {
  const { t } = useTranslation()
  return (
    <Panel title={t('gallery.sections.entrance')} actions={<Brand />} flush>
      <Exhibit />
    </Panel>
  )
}
