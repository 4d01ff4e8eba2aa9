import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { OF_PAGE, type Problem, problemOf } from '../api/problem.ts'
import styles from './parts.module.css'

type FailingProps = {
  error: unknown
  /** What did not work, in a few words. */
  title?: string
  /** A cause that the reader mends: it stands alone, without the code and the id of the request. */
  plain?: string
  retry?: () => unknown
}

/** What has gone wrong, what to do about it, and the id by which the server's log names it. */
export function Failing({ error, title, plain, retry }: FailingProps) {
  const { t } = useTranslation()
  return (
    <div role="alert" className={styles['failing']}>
      <IconAlertCircle size={20} aria-hidden />
      <div className={styles['failingText']}>
        <strong>{plain ?? title ?? t('states.failed')}</strong>
        {plain === undefined && <Cause error={error} />}
      </div>
      {retry && (
        <Button variant="default" size="xs" onClick={() => void retry()}>
          {t('actions.retry')}
        </Button>
      )}
    </div>
  )
}

function Cause({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const problem = problemOf(error)
  const told = toldOf(problem)
  const text = told === undefined ? problem.message || t('states.unknown') : t(`states.${told}`)
  const faults = Object.entries(problem.fields)
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
  return status === 404 && message === '' ? 'missing' : undefined
}
