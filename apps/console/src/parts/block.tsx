import { Copy } from './copy.tsx'
import styles from './parts.module.css'

type BlockProps = {
  label: string
  text: string
  /** The bytes that are copied, where the text is laid out for a reader. */
  copied?: string
}

/** Text for a machine: a command, a request or an answer. */
export function Block({ label, text, copied = text }: BlockProps) {
  return (
    <div className={styles['block']}>
      <div className={styles['blockHead']}>
        <span>{label}</span>
        <Copy text={copied} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it too. */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form. */}
      <pre dir="ltr" tabIndex={0} aria-label={label} role="group">
        {text}
      </pre>
    </div>
  )
}
