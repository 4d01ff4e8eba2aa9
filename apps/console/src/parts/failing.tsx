import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { OF_PAGE, type Problem, problemOf } from '../api/problem.ts'
import { codeText } from './code_text.ts'
import { Countdown } from './countdown.tsx'
import { faultText } from './fault_text.ts'
import styles from './parts.module.css'

type FailingProps = {
  error: unknown
  /** The action that has failed, in a few words. */
  title?: string
  /** A cause that the reader mends: it stands alone, without the code and the id of the request. */
  plain?: string
  /** Takes the place of the answer's own message, for a change that may have been made. */
  text?: string
  /** Faults that stand beside their fields are not repeated. */
  besides?: ReadonlySet<string> | undefined
  retry?: () => unknown
  /** Whether there is no button beside a wait, as in a form that has its own. */
  isAlone?: boolean
}

const NOWHERE: ReadonlySet<string> = new Set()

/** The error, what to do about it, and the id by which the server's log names it. */
export function Failing(props: FailingProps) {
  const { error, title, plain, text, besides = NOWHERE, retry, isAlone = false } = props
  const { t } = useTranslation()
  const { wait } = problemOf(error)
  return (
    <div role="alert" className={styles['failing']} data-doubt={text !== undefined}>
      <IconAlertCircle size={20} aria-hidden />
      <div className={styles['failingText']}>
        <strong>{plain ?? title ?? t('states.failed')}</strong>
        {plain === undefined && <Cause error={error} said={text} besides={besides} />}
        {retry && wait !== undefined && <Countdown of={error} seconds={wait} go={retry} />}
      </div>
      {retry && !isAlone && (
        <Button variant="default" size="xs" onClick={() => void retry()}>
          {t('actions.retry')}
        </Button>
      )}
    </div>
  )
}

type CauseProps = { error: unknown; said: string | undefined; besides: ReadonlySet<string> }

function Cause({ error, said, besides }: CauseProps) {
  const { t } = useTranslation()
  const problem = problemOf(error)
  const all = Object.entries(problem.fields)
  const text = said ?? sentenceOf(t, problem)
  const faults = all.filter(([field]) => !besides.has(field))
  return (
    <>
      <p>
        <bdi>{text}</bdi>
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.map(([field, fault]) => (
            <li key={field}>
              <bdi>
                <code dir="ltr">{field}</code> {faultText(t, fault)}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {problem.request_id !== undefined && (
        <p className={styles['small']}>
          {t('states.error_code')} <code dir="ltr">{problem.code}</code> · {t('states.request_id')}{' '}
          <code dir="ltr">{problem.request_id}</code>
        </p>
      )}
    </>
  )
}

/** Why a request has failed, in the language of the page. */
export function sentenceOf(t: TFunction, problem: Problem): string {
  const told = toldOf(problem)
  if (told !== undefined) return t(`states.${told}`)
  if (Object.keys(problem.fields).length > 0) return t('states.at_fields')
  return codeText(t, problem)
}

/** The sentence of the console, where it says more than that of the answer. */
function toldOf({ status, code, message }: Problem) {
  if (status === 0) return 'offline'
  if (status === OF_PAGE) return 'page_fault'
  if (status === 401 && code !== 'credentials_wrong') return 'no_session'
  if (status === 412) return 'outdated'
  return status === 404 && message === '' ? 'missing' : undefined
}
