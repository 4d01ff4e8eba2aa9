import styles from './jobs.module.css'

export const Milliseconds = ({ ms }: { ms: number }) => (
  <span dir="ltr" className={styles['ms']}>{`${ms.toLocaleString('en')} ms`}</span>
)
