import { useTranslation } from 'react-i18next'
import { reviews } from '../../i18n/en/reviews.ts'
import { Code, Status } from '../values.tsx'
import styles from './documents.module.css'

type Known = keyof typeof reviews.reasons

const isKnown = (code: string): code is Known => Object.hasOwn(reviews.reasons, code)

/** A status of a user, and its reason code with what it means. */
export function StateOfUser({ status, reason }: { status: string; reason: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Status>{status}</Status> <Code>{reason}</Code>{' '}
      {isKnown(reason) && <span className={styles['soft']}>{t(`reviews.reasons.${reason}`)}</span>}
    </>
  )
}
