import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { useMay } from '../../api/session.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { isSame } from '../../parts/edit/changes.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { useChoice } from '../../parts/use_choice.ts'
import { ControlFields } from './fields.tsx'
import { type Control, KINDS, type KindName } from './kinds.ts'
import { useLabels } from './labels.ts'

type ActionProps = { kind: KindName; control: Control }

export function ControlActions({ kind, control }: ActionProps) {
  const may = useMay()
  const { update, link } = KINDS[kind].operations
  return (
    <>
      {may(update) && <SetMode kind={kind} control={control} />}
      {may(link) && <LinkToProduct kind={kind} control={control} />}
      {may(update) && <Change kind={kind} control={control} />}
    </>
  )
}

/** A control in shadow declines nothing; enforcing it is how what it showed is applied. */
function SetMode({ kind, control }: ActionProps) {
  const { t } = useTranslation()
  const { id, mode } = control
  const isShadow = mode === 'SHADOW'
  return (
    <Act
      label={isShadow ? t('controls.enforce') : t('controls.shadow')}
      text={isShadow ? t('controls.enforce_text') : t('controls.shadow_text')}
      act={() =>
        changeSeen({
          item: control,
          read: () => KINDS[kind].read(id),
          // The terms have to be those that the member has looked at.
          isOther: (fresh) => !isSame(fresh.typed, control.typed),
          save: (match) =>
            KINDS[kind].update(id, { mode: isShadow ? 'ENFORCED' : 'SHADOW' }, match),
        })
      }
      isMain={isShadow}
    />
  )
}

function LinkToProduct({ kind, control: { id } }: ActionProps) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  const [chosen, choose] = useState('')
  const product = useChoice(products, chosen)
  if (!product) return null
  return (
    <Act
      label={t('controls.link')}
      text={t('controls.link_text')}
      act={(key) => KINDS[kind].link(id, product, key)}
    >
      <NativeSelect
        label={t('cards.product')}
        value={product.id}
        data={products.map(({ id: value, name }) => ({ value, label: name }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </Act>
  )
}

function Change({ kind, control }: ActionProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(control.typed)
  return (
    <Edit
      label={t('controls.change')}
      text={t('controls.change_text')}
      item={control}
      read={() => KINDS[kind].read(control.id)}
      typedOf={(one) => one.typed}
      bodyOf={KINDS[kind].bodyOf}
      labels={useLabels(kind)}
      save={(changes, match) => KINDS[kind].update(control.id, changes, match)}
      {...{ typed, setTyped }}
    >
      <ControlFields kind={kind} typed={typed} onChange={setTyped} />
    </Edit>
  )
}
