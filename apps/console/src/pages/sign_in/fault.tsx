import { useTranslation } from 'react-i18next'
import { Problem, problemOf } from '../../api/problem.ts'
import { Failing } from '../../parts/failing.tsx'

/** Why a step of a sign-in failed; `wrong` is the text where what was typed is wrong. */
export function SignInFault({ error, wrong }: { error: unknown; wrong: string }) {
  const { t } = useTranslation()
  const { status, code, request_id } = problemOf(error)
  const texts: Record<number, string> = { 401: wrong, 429: t('account.too_many') }
  const detail = texts[status]
  const shown = detail === undefined ? error : new Problem(status, { code, detail }, request_id)
  return <Failing error={shown} title={t('states.rejected')} />
}
