import { IconAdjustments } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCurrency, useMay } from '../../api/session.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Status, When } from '../../parts/values.tsx'
import { ControlsTabs } from './controls_tabs.tsx'
import { ControlFields } from './fields.tsx'
import { type Control, KINDS, type KindName, kindOf, typedOfKind } from './kinds.ts'
import { useTerms } from './terms.ts'

/** Controls that decline a payment, beside the balance: limits and lists. */
export function Controls() {
  const { t } = useTranslation()
  const { values } = useFilters(['kind'])
  const kind = kindOf(values.kind)
  return (
    <Page
      name="controls"
      lead={t(`controls.leads.${kind}`)}
      actions={<Create key={kind} kind={kind} />}
    >
      <ControlsTabs present={kind} />
      <Panel title={t(`controls.kinds.${kind}`)} flush>
        <Paged
          label={t(`controls.kinds.${kind}`)}
          queryKey={['controls', kind]}
          read={KINDS[kind].list}
          columns={useControlColumns(kind)}
          to={({ id }) => `/controls/${kind}/${id}`}
          empty={
            <Empty
              icon={IconAdjustments}
              title={t('controls.none')}
              text={t(`controls.none_text.${kind}`)}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useControlColumns(kind: KindName): Column<Control>[] {
  const { t } = useTranslation()
  const termsOf = useTerms(kind)
  return [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: t('limits.terms'), cell: (control) => <bdi>{termsOf(control)}</bdi> },
    {
      title: t('limits.mode'),
      cell: ({ mode, active }) => <Status>{active === false ? 'INACTIVE' : mode}</Status>,
    },
    { title: t('fields.modified'), cell: ({ modified }) => <When at={modified} /> },
  ]
}

function Create({ kind }: { kind: KindName }) {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const currency = useCurrency()
  const [typed, setTyped] = useState(() => typedOfKind(kind, currency))
  if (!may(KINDS[kind].operations.create)) return null
  return (
    <Act
      label={t(`controls.create.${kind}`)}
      text={t('controls.create_text')}
      submit={t('controls.create_submit')}
      act={(key) => KINDS[kind].create(typed, key)}
      onDone={({ id }) => void navigate({ to: `/controls/${kind}/${id}` })}
      isMain
    >
      <ControlFields kind={kind} typed={typed} onChange={setTyped} />
    </Act>
  )
}
