import styles from './brand.module.css'

/** The name and its mark: a coin of two rims. `isBeside` what needs the room, a phone has the mark. */
export function Brand({ isBeside = false }: { isBeside?: boolean }) {
  return (
    <span className={styles['brand']} dir="ltr">
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
        <circle cx="11" cy="11" r="10" fill="var(--accent)" />
        <circle cx="11" cy="11" r="6.5" fill="none" stroke="var(--on-accent)" strokeWidth="1.5" />
        <path d="M9 8v6M9 8h2.2a1.5 1.5 0 0 1 0 3H9h2.6a1.5 1.5 0 0 1 0 3H9" {...STROKE} />
      </svg>
      <span className={isBeside ? styles['name'] : undefined}>Bezant</span>
    </span>
  )
}

const STROKE = { fill: 'none', stroke: 'var(--on-accent)', strokeWidth: 1.3 }
