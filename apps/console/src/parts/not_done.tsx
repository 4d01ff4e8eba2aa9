import { useTranslation } from 'react-i18next'
import { Failing } from './failing.tsx'
import type { Action } from './use_action.ts'

type NotDoneProps = {
  of: Pick<Action<never, unknown>, 'error' | 'isInDoubt' | 'again'>
  /** Faults that stand beside their fields. */
  besides?: ReadonlySet<string>
}

/** Why a change was not made; or that no answer came, and it may have been made (D-974). */
export function NotDone({ of: { error, isInDoubt, again }, besides }: NotDoneProps) {
  const { t } = useTranslation()
  if (error === null) return null
  const lost = { title: t('states.no_answer'), text: t('states.no_answer_text') }
  const known = isInDoubt ? lost : { title: t('states.rejected') }
  return (
    <Failing {...known} error={error} besides={besides} {...(again && { retry: again })} isAlone />
  )
}
