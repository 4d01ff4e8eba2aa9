import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { ControlActions } from './control_actions.tsx'
import { type Control, KINDS, type KindName, kindOf } from './kinds.ts'
import { Shadow } from './shadow.tsx'
import { useTerms } from './terms.ts'

/** One limit or list: its terms, what it would have declined, and what may be done. */
export function ControlPage() {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const kind = kindOf(String(params['kind']))
  return (
    <ObjectPage key={kind} name="controls" read={KINDS[kind].read}>
      {(control) => <Loaded key={control.id} kind={kind} control={control} />}
    </ObjectPage>
  )
}

type LoadedProps = { kind: KindName; control: Control }

function Loaded({ kind, control }: LoadedProps) {
  const may = useMay()
  const { id, name, mode, active } = control
  return (
    <Page
      name="controls"
      title={<bdi>{name}</bdi>}
      status={active === false ? 'INACTIVE' : mode}
      lead={<Code>{id}</Code>}
      actions={<ControlActions kind={kind} control={control} />}
    >
      <Columns facts={<ControlFacts kind={kind} control={control} />}>
        {may(KINDS[kind].operations.shadow) && <Shadow kind={kind} control={control} />}
        <History of={id} />
      </Columns>
    </Page>
  )
}

function ControlFacts({ kind, control }: LoadedProps) {
  const { t } = useTranslation()
  const termsOf = useTerms(kind)
  const { mode, created, modified, typed } = control
  return (
    <Panel title={t('controls.facts')}>
      <Facts
        rows={[
          [t('controls.kind'), t(`controls.kinds.${kind}`)],
          [t('limits.terms'), <bdi key="terms">{termsOf(control)}</bdi>],
          [
            t('controls.scope'),
            kind === 'velocity' ? <Code key="scope">{typed.scope}</Code> : undefined,
          ],
          [t('limits.mode'), <Status key="mode">{mode}</Status>],
          [t('fields.created'), <When key="created" at={created} />],
          [t('fields.modified'), <When key="modified" at={modified} />],
        ]}
      />
    </Panel>
  )
}
