import { Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../parts/copy.tsx'
import { FilterDay, FilterSelect, Filters, FilterText } from '../../parts/filters.tsx'
import { SwitchGrid } from '../../parts/issuing/switches.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PasswordField } from '../../parts/password_field.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import styles from './gallery.module.css'

const ABOVE = { atm: false }

/** Filters, tabs, and the fields of forms. */
export function FieldParts() {
  const { t } = useTranslation()
  const [uses, setUses] = useState<Readonly<Record<string, boolean>>>({ chip: false })
  return (
    <Panel title={t('gallery.sections.fields')} flush>
      <SomeFilters />
      <div className={styles['inset']}>
        <Tabs
          label={t('gallery.sections.fields')}
          tabs={[
            { to: '/parts', text: t('gallery.first'), isPresent: true },
            { to: '/parts', text: t('gallery.second'), isPresent: false },
          ]}
        />
        <div className={styles['pair']}>
          <Inputs />
          <SwitchGrid
            settings={uses}
            above={ABOVE}
            onChange={(name, value) => setUses({ ...uses, [name]: value })}
          />
        </div>
      </div>
    </Panel>
  )
}

function SomeFilters() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  return (
    <Filters>
      <FilterSelect
        label={t('fields.status')}
        all={t('filters.all')}
        data={['ACTIVE', 'SUSPENDED']}
        value={undefined}
        onChange={setText}
      />
      <FilterText label={t('fields.name')} value={text} onChange={setText} />
      <FilterDay label={t('fields.created')} value={undefined} onChange={setText} />
    </Filters>
  )
}

function Inputs() {
  const { t } = useTranslation()
  return (
    <div className={styles['stack']}>
      <TextInput
        label={t('fields.name')}
        description={t('gallery.text')}
        error={t('gallery.bad')}
        defaultValue="Palm"
      />
      <PasswordField label={t('account.password')} autoComplete="off" />
      <NativeSelect label={t('fields.currency')} data={['AED', 'JPY', 'KWD']} />
      <SegmentedControl
        aria-label={t('fields.type')}
        data={[t('gallery.first'), t('gallery.second')]}
      />
      <Checkbox label={t('gallery.first')} defaultChecked />
      <CopyField label={t('account.key')} text="sk_sandbox_0f1e2d3c4b5a69788796" />
    </div>
  )
}
