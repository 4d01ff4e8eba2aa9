import { useTranslation } from 'react-i18next'
import { problemOf } from '../../api/problem.ts'
import { Failing } from '../../parts/failing.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import type { Action } from '../../parts/use_action.ts'

type SignInFaultProps = {
  of: Pick<Action<never, unknown>, 'error' | 'isInDoubt' | 'again'>
  /** The text where what was typed is wrong. */
  wrong: string
}

/** Why a step of a sign-in failed; nothing if none did. */
export function SignInFault({ of, wrong }: SignInFaultProps) {
  const { t } = useTranslation()
  const texts: Record<number, string> = { 401: wrong, 429: t('account.too_many') }
  const plain = of.error === null ? undefined : texts[problemOf(of.error).status]
  return plain === undefined ? (
    <NotDone of={of} />
  ) : (
    <Failing error={of.error} plain={plain} {...(of.again && { retry: of.again })} isAlone />
  )
}
