import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { OF_PAGE, type Problem, problemOf } from '../api/problem.ts'
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
}

const NOWHERE: ReadonlySet<string> = new Set()

/** The error, what to do about it, and the id by which the server's log names it. */
export function Failing(props: FailingProps) {
  const { error, title, plain, text, besides = NOWHERE, retry } = props
  const { t } = useTranslation()
  return (
    <div role="alert" className={styles['failing']} data-doubt={text !== undefined}>
      <IconAlertCircle size={20} aria-hidden />
      <div className={styles['failingText']}>
        <strong>{plain ?? title ?? t('states.failed')}</strong>
        {plain === undefined && <Cause error={error} said={text} besides={besides} />}
      </div>
      {retry && (
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
  const told = toldOf(problem)
  const all = Object.entries(problem.fields)
  const usual = problem.status === 404 ? t('states.missing') : t('states.unknown')
  const known = all.length > 0 ? t('states.at_fields') : usual
  const text = said ?? (told === undefined ? problem.message || known : t(`states.${told}`))
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
                <code dir="ltr">{field}</code> {fault}
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

/** The sentence of the console, where it says more than that of the answer. */
function toldOf({ status, code, message }: Problem) {
  if (status === 0) return 'offline'
  if (status === OF_PAGE) return 'page_fault'
  if (status === 401 && code !== 'credentials_wrong') return 'no_session'
  if (status === 412) return 'outdated'
  return status === 404 && message === '' ? 'missing' : undefined
}
