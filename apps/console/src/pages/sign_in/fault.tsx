import { useTranslation } from 'react-i18next'
import { problemOf } from '../../api/problem.ts'
import { Failing } from '../../parts/failing.tsx'

/** Why a step of a sign-in failed; `wrong` is the text where what was typed is wrong. */
export function SignInFault({ error, wrong }: { error: unknown; wrong: string }) {
  const { t } = useTranslation()
  const texts: Record<number, string> = { 401: wrong, 429: t('account.too_many') }
  const plain = texts[problemOf(error).status]
  return <Failing error={error} title={t('states.rejected')} {...(plain && { plain })} />
}
