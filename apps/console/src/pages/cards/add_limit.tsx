import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useCurrency } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { velocityBody } from '../controls/bodies.ts'
import { ControlFields } from '../controls/fields.tsx'
import { NEW } from '../controls/typed.ts'

type AddLimitProps = {
  card: Card
  link: (ids: string[], key: string) => Promise<unknown>
}

/**
 * Makes a limit and links it to the card. Both calls have the key of the press, so that a press
 * after a failed link makes no other limit.
 */
export function AddLimit({ card, link }: AddLimitProps) {
  const { t } = useTranslation()
  const currency = useCurrency()
  const first = { ...NEW, currency }
  const [typed, setTyped] = useState(first)
  return (
    <Act
      isMain
      label={t('limits.add')}
      text={t('limits.add_text')}
      act={async (key) => {
        const limit = await answered(
          issuing.limits.createVelocityLimit(velocityBody(typed), { idempotencyKey: key }),
        )
        await link([limit.id], key)
        return limit
      }}
      onDone={() => setTyped(first)}
    >
      <ControlFields kind="velocity" typed={typed} onChange={setTyped} key={card.id} />
    </Act>
  )
}
